/** Variables that say where programs go on the network, or by way of which host. */
export const PLACE_VARIABLES =
  /^(?:(?:https?|all|ftp)_proxy|npm_config_(?:registry|https?_proxy|proxy)|pip_(?:extra_)?index_url|pip_proxy|uv_(?:default_)?index(?:_url)?|goproxy|aws_endpoint_url(?:_\w+)?|rustup_dist_server|yarn_registry|yarn_npm_registry_server|cargo_(?:http_proxy|registries_\w+_index)|bundle_mirror__\w+|twine_repository_url|hf_endpoint|homebrew_\w+_(?:domain|git_remote)|vault_addr)$/i;
