/** The ends of the names of secrets. */
const SECRET_NAME =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credentials?|(?:api|access|secret|private|account|auth|encryption|signing|master|app|application|license|storage|webhook|shared|ingest|management|deploy)[_-]?key|secret_key_base|[a-z0-9][_-]pass)$/i;
/** Names that end like a secret's but are none. */
const HARMLESS_NAME =
  /(?:(?:next|page|continuation|sync|cancel(?:lation)?|csrf|max|min|num|stop|pad|bos|eos|unk)[_-]?token|(?:^|-)(?:show|with|no|print|get|use|has|ask|skip|list|need|require|reset|generate|disable|enable)-[a-z-]*)$/i;
/** More names of secrets, for an option or a variable of the environment. */
const SHORT_NAME = /(?:^|[_-]|[a-z])pass$|(?:^|[_-])(?:pw|psw|auth|dsn|pat|pin)$/i;
const OTHER_PASS = /(?:by|com|tres|sur|en|over|under|multi|single|two|first|second|last)[_-]?pass$|^-*pass$/i;
/** Names of HTTP's headers that hold one. */
const SECRET_HEADER =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|.*(?:[-_](?:key|auth|signature)|session))$/i;

/** True for the name of something that holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name) && !OTHER_PASS.test(name);
}

/** The same for names of options and variables of the environment. */
export function isSecretOption(name: string): boolean {
  return isSecretName(name) || (SHORT_NAME.test(name) && !OTHER_PASS.test(name));
}

/** The same for names of headers. */
export function isSecretHeader(name: string): boolean {
  return isSecretName(name) || SECRET_HEADER.test(name);
}
