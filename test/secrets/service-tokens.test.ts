import { describe, expect, test } from 'bun:test';
import { redactSecrets } from '../../src/reader/secrets/redact-secrets.ts';

/** Characters that look like a key's; put together here so that no file holds anything like a real one. */
function key(length: number, alphabet = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'): string {
  return alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
}

const hex = (length: number) => key(length, '0a1b2c3d4e5f6789');
const small = (length: number) => key(length, 'a1b2c3d4e5f6g7h8i9j0klmnopqrstuvwxyz');
const UPPER = 'ABCDEFGH234567JKLMNPQRSTUVWXYZ';

/** A token of each kind. */
const TOKENS: Readonly<Record<string, string>> = {
  'GitHub, classic': `ghp_${key(36)}`,
  'GitHub, of an app': `ghs_${key(36)}`,
  'GitHub, fine-grained': `github_pat_${key(22)}_${key(59)}`,
  GitLab: `glpat-${key(20)}`,
  'GitLab, routable': `glpat-${key(27)}.01.${small(9)}`,
  'GitLab, of a job': `glcbt-64_${key(20)}`,
  'GitLab, of feature flags': `glffct-${key(20)}`,
  npm: `npm_${key(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${key(80)}`,
  RubyGems: `rubygems_${hex(48)}`,
  'crates.io': `cio${key(32)}`,
  NuGet: `oy2${small(43)}`,
  'Docker Hub': `dckr_pat_${key(27)}`,
  Artifactory: `AKCp${key(69)}`,
  Anthropic: `sk-ant-api03-${key(93)}AA`,
  'OpenAI, of a project': `sk-proj-${key(74)}T3BlbkFJ${key(74)}`,
  OpenRouter: `sk-or-v1-${hex(64)}`,
  Groq: `gsk_${key(52)}`,
  DeepSeek: `sk-${hex(32)}`,
  ElevenLabs: `sk_${hex(48)}`,
  Cerebras: `csk-${small(48)}`,
  Fireworks: `fw_${key(24)}`,
  Jina: `jina_${key(60)}`,
  'Weights & Biases': `wandb_v1_${key(77)}`,
  Pinecone: `pcsk_${key(5)}_${key(63)}`,
  Firecrawl: `fc-${hex(32)}`,
  E2B: `e2b_${hex(40)}`,
  Browserbase: `bb_live_${key(27)}`,
  Apify: `apify_api_${key(36)}`,
  Cursor: `crsr_${hex(64)}`,
  Devin: `cog_${small(52)}`,
  'AWS Bedrock, for a while': `bedrock-api-key-${key(120)}`,
  'Google, of Gemini': `AQ.Ab8RN6${key(44)}`,
  Neon: `napi_${small(64)}`,
  'MongoDB Atlas': `mdb_sa_sk_${key(40)}`,
  Unkey: `unkey_${key(22)}`,
  '1Password, of an account': `A3-${key(6, UPPER)}-${key(11, UPPER)}-${key(5, UPPER)}-${key(5, UPPER)}-${key(5, UPPER)}`,
  Snyk: `snyk_uat.${key(10)}.${key(60)}`,
  'Artifactory, for reference': `cmVmdGtu${key(56)}`,
  Prefect: `pnu_${key(36)}`,
  dbt: `dbtc_${key(40)}`,
  Retool: `retool_${key(26)}`,
  Dropbox: `sl.u.${key(130)}`,
  Contentful: `CFPAT-${key(43)}`,
  Mapbox: `sk.eyJ1Ijoi${key(60)}.${key(22)}`,
  PagerDuty: `pdus+_0XBPWQQ_${key(36)}`,
  LaunchDarkly: `sdk-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  PayPal: `access_token$production$${small(16)}$${hex(32)}`,
  Plaid: `access-production-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  Facebook: `EAA${key(180)}`,
  'Azure Functions': `${key(44)}AzFu${key(8)}==`,
  'Azure Search': `${key(42)}AzSe${key(10)}`,
  'Azure Container Registry': `${key(42)}+ACR${key(6)}`,
  xAI: `xai-${key(80)}`,
  Perplexity: `pplx-${key(48)}`,
  Replicate: `r8_${key(37)}`,
  'Hugging Face': `hf_${key(34)}`,
  LangSmith: `lsv2_pt_${hex(32)}_${hex(10)}`,
  'Google API': `AIza${key(35)}`,
  'Google OAuth': `ya29.${key(60)}`,
  'Google OAuth, for refreshing': `1//0${key(60)}`,
  'Google OAuth, of a client': `GOCSPX-${key(28)}`,
  'AWS, permanent': `AKIA${key(16, UPPER)}`,
  'AWS, temporary': `ASIA${key(16, UPPER)}`,
  'AWS Bedrock': `ABSK${key(128)}`,
  'Azure, of a client': `${key(3)}8Q~${key(34)}`,
  'Azure DevOps': `${key(76)}AZDO${key(4)}`,
  'Slack, of an app': `xapp-1-${key(10, UPPER)}-${key(12, '1234567890')}-${hex(64)}`,
  'Slack, of a bot': `xoxb-${key(12, '1234567890')}-${key(12, '1234567890')}-${key(24)}`,
  Stripe: `sk_live_${key(24)}`,
  'Stripe, restricted': `rk_live_${key(24)}`,
  Twilio: `SK${hex(32)}`,
  SendGrid: `SG.${key(22)}.${key(43)}`,
  Mailgun: `key-${hex(32)}`,
  Mailchimp: `${hex(32)}-us21`,
  Brevo: `xkeysib-${hex(64)}-${key(16)}`,
  Resend: `re_${key(8)}_${key(24)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Vault: `hvs.${key(90)}`,
  Databricks: `dapi${hex(32)}`,
  'Cloudflare, origin': `v1.0-${hex(24)}-${hex(146)}`,
  Cloudflare: `cfut_${key(40)}`,
  Atlassian: `ATATT3xFfGF0${key(180)}`,
  Bitbucket: `ATBB${key(32)}`,
  Linear: `lin_api_${key(40)}`,
  Notion: `ntn_${key(46)}`,
  'Notion, old': `secret_${key(43)}`,
  Figma: `figd_${key(40)}`,
  Discord: `MTA${key(21)}.${key(6)}.${key(38)}`,
  Telegram: `8123456789:AA${key(33)}`,
  Shopify: `shpat_${hex(32)}`,
  Square: `EAAA${key(60)}`,
  'Square, OAuth': `sq0csp-${key(43)}`,
  Supabase: `sbp_${hex(40)}`,
  'Supabase, secret': `sb_secret_${key(31)}`,
  Vercel: `vcp_${key(40)}`,
  Netlify: `nfp_${key(36)}`,
  Fly: `fm2_${key(200)}`,
  Heroku: `HRKU-AA${key(58)}`,
  Doppler: `dp.pt.${key(43)}`,
  'New Relic': `NRAK-${key(27, UPPER)}`,
  Grafana: `glsa_${key(32)}_${hex(8)}`,
  'Grafana Cloud': `glc_${key(120)}`,
  Sentry: `sntrys_${key(100)}`,
  'Sentry, of a user': `sntryu_${hex(64)}`,
  PostHog: `phx_${key(43)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  Dynatrace: `dt0c01.${key(24, UPPER)}.${key(64, UPPER)}`,
  Terraform: `${key(14)}.atlasv1.${key(67)}`,
  Pulumi: `pul-${hex(40)}`,
  age: `AGE-SECRET-KEY-1${key(58, UPPER)}`,
  Airtable: `pat${key(14)}.${hex(64)}`,
  HubSpot: `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  PlanetScale: `pscale_tkn_${key(43)}`,
  Tailscale: `tskey-auth-${key(17)}-${key(32)}`,
  SonarQube: `squ_${hex(40)}`,
  CircleCI: `CCIPAT_${key(22)}_${hex(40)}`,
  Typeform: `tfp_${key(59)}`,
  JWT: `eyJ${key(30)}.eyJ${key(40)}.${key(43)}`,
};

/** Of addresses only a part is the secret. */
const ADDRESSES: Readonly<Record<string, readonly [before: string, secret: string]>> = {
  Slack: ['https://hooks.slack.com/services/', `T${key(8)}/B${key(8)}/${key(24)}`],
  Discord: ['https://discord.com/api/webhooks/123456789012345678/', key(68)],
  Teams: [
    'https://a.webhook.office.com/webhookb2/',
    `${hex(36)}@${hex(36)}/IncomingWebhook/${hex(32)}/${hex(36)}`,
  ],
  'Azure storage': ['DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', `${key(86)}==`],
  'Azure signature': ['https://a.blob.core.windows.net/b?sv=1&sig=', `${key(43)}%3D`],
  Okta: ['Authorization: SSWS ', `00${key(40)}`],
  Datadog: ['DD_API_KEY=', hex(32)],
  MongoDB: ['mongodb+srv://ada:', 'p@ss-w0rd'],
};

/** What they may be taken for. */
const OTHERS: readonly string[] = [
  `commit ${hex(40)}`,
  `sha256:${hex(64)}`,
  '550e8400-e29b-41d4-a716-446655440000',
  `integrity sha512-${key(86)}==`,
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  `sk-ant-${'x'.repeat(40)}`,
  'glpat-short',
  'hf_hub_download(repo_id)',
  'const re_export_default_value = 1',
  'secret_name: mail',
  'pattern.test.example',
  'patch.abcdef.example',
  'key-value store',
  'docs.google.com.example.org',
  'www.example.com/api/webhooks/list',
  'https://discord.com/api/webhooks/',
  '12:34:AAbout',
  'SKU12345678901234567890123456789012',
  'user-us1',
  'dapifoo',
  'rnd_seed = 4',
  'org.apache.maven.plugins.surefire',
  'version v1.0-beta',
  'SG.example',
  'EAAA',
  'hvs.example',
];

describe('tokens of services', () => {
  test.each(Object.entries(TOKENS))('redacts %s', (_, token) => {
    for (const [before, after] of [
      ['', ''],
      ['x ', '\n'],
      ['"', '"'],
      ['--value=', ' y'],
      ['(', ')'],
    ]) {
      const { text } = redactSecrets(`${before}${token}${after}`);
      expect(text).toMatch(/\[redacted:[a-z-]+\]/);
      expect(text).not.toContain(token.slice(-20));
      expect(text.startsWith(before ?? '') && text.endsWith(after ?? '')).toBe(true);
    }
  });

  test.each(Object.entries(ADDRESSES))(
    'redacts what is secret in an address of %s',
    (_, [before, secret]) => {
      const { text } = redactSecrets(`${before}${secret}${before.includes('mongo') ? '@db/x' : ' x'}`);
      expect(text).not.toContain(secret.slice(-4));
      expect(text.startsWith(before)).toBe(true);
    },
  );

  test.each(OTHERS)('leaves %p', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });
});
