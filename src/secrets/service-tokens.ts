import { dottedTokenFrom } from './dotted-token.ts';
import type { SecretFinder, SecretSpan } from './secret-span.ts';
import { markedTokenFinder, tokenFinder } from './token-finder.ts';

/** Tokens of many services, which tell them by a prefix: the prefixes, and what follows the first letters. */
const PREFIXED: readonly (readonly [prefixes: string, pattern: string])[] = [
  // Models and what is around them.
  ['hf_ api_org_', '(?:hf|api_org)_[A-Za-z0-9]{30,64}'],
  ['gsk_', 'gsk_[A-Za-z0-9]{40,80}'],
  ['xai-', 'xai-[A-Za-z0-9]{60,120}'],
  ['pplx-', 'pplx-[A-Za-z0-9]{40,80}'],
  ['r8_', 'r8_[A-Za-z0-9]{30,60}'],
  ['nvapi-', 'nvapi-[A-Za-z0-9_-]{50,90}'],
  ['tgp_v1_', 'tgp_v1_[A-Za-z0-9_-]{30,80}'],
  ['tvly-', 'tvly-[A-Za-z0-9-]{20,64}'],
  ['lsv2_', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'],
  ['sk-or-v1- sk-lf-', 'sk-(?:or-v1|lf)-[A-Za-z0-9-]{30,80}'],
  ['sk-', 'sk-[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['sk_', 'sk_[a-f0-9]{48}(?![A-Za-z0-9])'],
  ['csk-', 'csk-[a-z0-9]{48}'],
  ['fw_', 'fw_(?=[A-Za-z]*\\d)[A-Za-z0-9]{22,24}(?![A-Za-z0-9_])'],
  ['jina_', 'jina_[A-Za-z0-9_-]{60}'],
  ['wandb_v1_', 'wandb_v1_[A-Za-z0-9_]{60,100}'],
  ['pcsk_', 'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}'],
  ['fc-', 'fc-[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['e2b_', 'e2b_[a-f0-9]{40}'],
  ['bb_live_', 'bb_live_[A-Za-z0-9_-]{20,40}'],
  ['apify_api_', 'apify_api_[A-Za-z0-9]{30,46}'],
  ['crsr_', 'crsr_[a-f0-9]{64}'],
  ['cog_', 'cog_[a-z0-9]{52}'],
  ['bedrock-api-key-', 'bedrock-api-key-[A-Za-z0-9+/=]{60,2048}'],
  // Clouds and hosting.
  ['dop_v1_ doo_v1_ dor_v1_', 'do[opr]_v1_[a-f0-9]{64}'],
  ['dapi', 'dapi[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])'],
  ['cfut_ cfat_ cfk_', 'cf(?:ut|at|k)_[A-Za-z0-9_-]{32,128}'],
  ['v1.0-', 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}'],
  ['HRKU-', 'HRKU-[A-Za-z0-9_-]{36,120}'],
  ['nfp_ nfc_ nfo_ nfu_ nfb_', 'nf[bcopu]_[A-Za-z0-9_-]{36,80}'],
  ['vcp_ vci_ vca_ vcr_ vck_', 'vc[aciprk]_[A-Za-z0-9]{24,80}'],
  ['vercel_blob_rw_', 'vercel_blob_rw_[A-Za-z0-9_]{30,80}'],
  ['fm1a_ fm1r_ fm2_ fo1_', 'f(?:m1[ar]|m2|o1)_[A-Za-z0-9+/_=-]{32,4096}'],
  ['rnd_', 'rnd_[A-Za-z0-9]{28,64}'],
  ['pscale_', 'pscale_(?:tkn|pw|oauth|otkn)_[A-Za-z0-9_.=-]{30,80}'],
  ['sbp_', 'sbp_(?:v\\d_|oauth_)?[a-f0-9]{40}'],
  ['sb_secret_', 'sb_secret_[A-Za-z0-9_-]{20,80}'],
  ['tskey-', 'tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{16,100}'],
  ['pul-', 'pul-[a-f0-9]{40}'],
  ['ico-', 'ico-[A-Za-z0-9]{32}'],
  ['AQ.Ab', 'AQ\\.Ab[A-Za-z0-9_-]{40,80}'],
  ['napi_', 'napi_[a-z0-9]{60,70}'],
  ['mdb_sa_sk_', 'mdb_sa_sk_[A-Za-z0-9_-]{38,48}'],
  ['unkey_', 'unkey_[A-Za-z0-9]{18,40}'],
  // Stores of secrets.
  ['hvs. hvb. hvr.', 'hv[brs]\\.[A-Za-z0-9_-]{20,512}'],
  [
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ],
  ['ops_eyJ', 'ops_eyJ[A-Za-z0-9+/_=-]{100,2048}'],
  ['AGE-SECRET-KEY-', 'AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,1024}'],
  [
    'A3-',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?![A-Z0-9])',
  ],
  // Packages, code and builds.
  ['dckr_pat_ dckr_oat_', 'dckr_o?p?at_[A-Za-z0-9_-]{20,64}'],
  ['rubygems_', 'rubygems_[a-f0-9]{48}'],
  ['cio', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  ['oy2', 'oy2[a-z0-9]{43}(?![A-Za-z0-9])'],
  ['CLOJARS_', 'CLOJARS_[A-Za-z0-9]{60}'],
  ['packagist_', 'packagist_[a-z]{3}_[a-f0-9]{60,80}'],
  ['AKCp', 'AKCp[A-Za-z0-9]{60,80}'],
  ['CCIPAT_ CCIPRJ_', 'CCIP(?:AT|RJ)_[A-Za-z0-9_]{40,80}'],
  ['bkua_', 'bkua_[a-z0-9]{40}'],
  ['sqp_ squ_ sqa_', 'sq[apu]_[a-f0-9]{40}'],
  ['sgp_', 'sgp_(?:[A-Za-z0-9]{16}_|local_)?[a-f0-9]{40}'],
  ['snyk_uat. snyk_sat.', 'snyk_[us]at\\.[A-Za-z0-9]{6,12}\\.[A-Za-z0-9._-]{40,120}'],
  ['cmVmdGtu', 'cmVmdGtu[A-Za-z0-9]{56}(?![A-Za-z0-9])'],
  ['pnu_ pnb_', 'pn[bu]_[A-Za-z0-9]{36}'],
  ['dbtc_ dbtu_', 'dbt[cu]_[A-Za-z0-9_-]{36,60}'],
  ['retool_', 'retool_(?=[A-Za-z]*\\d)[A-Za-z0-9]{26}(?![A-Za-z0-9_])'],
  // Work and chat.
  ['ATATT3 ATCTT3', 'AT[AC]TT3[A-Za-z0-9_=-]{40,512}'],
  ['ATBB', 'ATBB[A-Za-z0-9]{28,64}'],
  ['lin_api_ lin_oauth_', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,80}'],
  ['ntn_', 'ntn_[A-Za-z0-9]{40,60}'],
  ['secret_', 'secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])'],
  ['figd_ figo_ figor_ figu_ figur_', 'fig(?:d|or?|ur?)_[A-Za-z0-9_-]{32,80}'],
  ['tfp_', 'tfp_[A-Za-z0-9_-]{40,80}'],
  ['pat-na1- pat-eu1-', 'pat-(?:na|eu)1-[a-f0-9-]{36}'],
  ['sl.u. sl.B', 'sl\\.(?:u\\.|B)[A-Za-z0-9_-]{100,2048}'],
  ['CFPAT-', 'CFPAT-[A-Za-z0-9_-]{43}'],
  ['sk.eyJ1Ijoi', 'sk\\.eyJ1Ijoi[A-Za-z0-9_-]{20,300}\\.[A-Za-z0-9_-]{20,24}'],
  // Watching.
  ['glc_', 'glc_[A-Za-z0-9+/]{32,400}={0,3}'],
  ['glsa_', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'],
  ['NRAK- NRAA- NRRA- NRII- NRSP-', 'NR(?:AK|AA|RA|II|SP)-[A-Za-z0-9_-]{24,48}'],
  ['NRJS-', 'NRJS-[a-f0-9]{19}'],
  ['sntrys_ sntryu_ sntrya_ sntryi_', 'sntry[aisu]_[A-Za-z0-9+/=_-]{32,512}'],
  ['phx_ phs_', 'ph[xs]_[A-Za-z0-9_-]{32,64}'],
  ['ddapp_ ddat_ ddpat_', 'dd(?:app|at|pat)_[A-Za-z0-9_-]{30,100}'],
  ['dt0c01. dt0s01. dt0s16.', 'dt0[cs](?:01|16)\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}'],
  ['hcaik_', 'hcaik_[a-z0-9]{58}'],
  ['PMAK- PMAT-', 'PMA[KT]-[A-Za-z0-9-]{24,80}'],
  ['pdus+_ pdeu+_', 'pd(?:us|eu)\\+_[A-Z0-9]{6,10}_[A-Za-z0-9-]{36}'],
  ['sdk-', 'sdk-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}(?![A-Za-z0-9])'],
  // Shops, mail and messages.
  ['shpat_ shpca_ shppa_ shpss_', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'],
  ['EAAA', 'EAAA[A-Za-z0-9_-]{56,64}(?![A-Za-z0-9_-])'],
  ['sq0atp- sq0csp-', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}'],
  ['SG.', 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}'],
  ['xkeysib- xsmtpsib-', 'x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['mlsn.', 'mlsn\\.[a-f0-9]{64}'],
  ['key-', 'key-[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['re_', 're_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}'],
  ['FLWSECK', 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}'],
  ['rdme_', 'rdme_[a-z0-9]{70}'],
  ['EZAK EZTK', 'EZ[AT]K[A-Za-z0-9]{54}'],
  ['duffel_', 'duffel_(?:live|test)_[A-Za-z0-9_=-]{43}'],
  ['shippo_', 'shippo_(?:live|test)_[a-f0-9]{40}'],
  ['access_token$', 'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}'],
  ['access-production-', 'access-production-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  ['EAA', 'EAA[A-Za-z0-9]{120,400}(?![A-Za-z0-9+/=])'],
];

/** Twilio's begin with too little to be looked for: each with its first digit. */
const TWILIO = Array.from({ length: 16 }, (_, digit) => `SK${digit.toString(16)}`);

export const SERVICE_TOKENS: readonly SecretFinder[] = [
  ...PREFIXED.map(([prefixes, pattern]) => tokenFinder(prefixes.split(' '), () => new RegExp(pattern, 'y'))),
  tokenFinder(TWILIO, () => /SK[0-9a-f]{32}(?![A-Za-z0-9])/y),
  markedTokenFinder(['.atlasv1.'], 14, () => /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/y),
  markedTokenFinder(['AzFu'], 44, () => /[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,10}={0,2}/y),
  markedTokenFinder(['AzSe', '+ACR'], 42, () => /[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-Za-z0-9+/]{6,10}/y),
  tokenFinder(['pat'], () => /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  markedTokenFinder(['-us'], 32, () => /[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/y),
  tokenFinder(
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    () => /discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/([A-Za-z0-9_-]{30,120})/y,
  ),
  tokenFinder(['webhook.office.com/'], () => /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/_-]{60,300})/y),
  { literals: [':aa'], find: findTelegramTokens },
  { literals: [], find: findDottedTokens },
];

/** `8123456789:AA...`, of a bot of Telegram. */
function findTelegramTokens(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const token = /:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y;
  for (let at = text.indexOf(':AA'); at !== -1; at = text.indexOf(':AA', at + 1)) {
    token.lastIndex = at;
    const digits = /(?:^|\D)(\d{8,10})$/.exec(text.slice(Math.max(0, at - 11), at))?.[1];
    if (digits !== undefined && token.test(text))
      spans.push({ start: at - digits.length, end: token.lastIndex });
  }
  return spans;
}

/** A bot's of Discord: three parts, of which the first is a number in base64. */
function findDottedTokens(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const token = /[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])/y;
  for (let at = dottedTokenFrom(text, 0); at !== -1; at = dottedTokenFrom(text, at + 1)) {
    for (let start = at - 23; start >= Math.max(0, at - 29); start -= 1) {
      if (/[A-Za-z0-9_-]/.test(text.charAt(start - 1))) continue;
      token.lastIndex = start;
      if (token.test(text)) spans.push({ start, end: token.lastIndex });
      break;
    }
  }
  return spans;
}
