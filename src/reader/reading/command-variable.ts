/** Names of variables of the environment whose value is a command that some program starts: its pager, its editor. */
export const COMMAND_VARIABLE =
  /^(?:\w*(?:PAGER|EDITOR|ASKPASS)|(?:GH_)?BROWSER|VISUAL|FCEDIT|GIT_SSH(?:_COMMAND)?|GIT_PROXY_COMMAND|(?:GIT|KUBECTL)_EXTERNAL_DIFF|(?:RSYNC|CVS|BORG)_RSH|RSYNC_CONNECT_PROG|SVN_SSH|HGMERGE|\w*PASS(?:WORD_)?COMMAND|FZF_\w+_COMMAND|LESS(?:OPEN|CLOSE)|npm_config_script_shell|RUSTC(?:_(?:WORKSPACE_)?WRAPPER)?|RUSTDOC|CARGO_TARGET_\w+_RUNNER)$/i;

/** Names of those in which a build looks for its tools, with their first arguments. */
export const TOOL_VARIABLE =
  /^(?:HOST)?(?:CC|CXX|CPP|LD|AR|AS|FC|NM|RANLIB|STRIP|OBJCOPY|LEX|YACC|PKG_CONFIG|RM)$/;
