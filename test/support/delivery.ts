/** Policies under which a push has to follow a test, and a test the last edit. */
export const DELIVERY = `version: 1
name: delivery
facts:
  edited: {path: {match: 'src/**', uses: [write, delete]}}
  tested: {command: {subcommand: [npm, test]}, outcome: succeeded}
policies:
  - id: tests-before-push
    command: {subcommand: [git, push]}
    history: {not_seen: tested, since: edited, within: session}
    action: deny
    reason: Nothing was tested since the last edit
`;
