/** Services whose tokens nothing tells by themselves, but the names of the variables that hold them. */
export const NAMED_OWNERS: readonly string[] = [
  'MISTRAL mistral.ai',
  'COHERE cohere.com cohere.ai',
  'DEEPSEEK deepseek.com',
  'CODECOV codecov.io codecov.*',
  'TWILIO twilio.com',
  'DISCORD discord.com discordapp.com',
  'TELEGRAM telegram.org',
  'AIRTABLE airtable.com',
  'MAILCHIMP mailchimp.com mailchimpapp.com mandrillapp.com',
  'HETZNER HCLOUD hetzner.cloud hetzner.com',
  'LINODE linode.com',
  'TERRAFORM TF_CLOUD TFE terraform.io hashicorp.com terraform.* tfe.*',
  'ASANA asana.com',
  'TRELLO trello.com',
  'ALGOLIA algolia.net algolia.com algolianet.com',
];
