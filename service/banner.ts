import { DEMO } from './quick-start/seed-workspace.ts';

export type BannerFacts = {
  url: string;
  dataDir: string;
  logFile: string | null;
  sandbox: boolean;
  admin: { email: string; password: string } | null;
  hasDemo: boolean;
  /** The demo client's website, at the sandbox; null without one. */
  websiteUrl: string | null;
};

/** Renders the block at the end of a quick start: where the portal is, how to log in and what to try first. */
export function banner(facts: BannerFacts): string {
  const { admin } = facts;
  const person = (role: string, email: string): string => `    ${role.padEnd(24)}${email.padEnd(32)}${admin?.password ?? ''}`;
  const people = [
    ...(admin ? [person('Platform staff', admin.email)] : []),
    ...(facts.hasDemo
      ? [
          person('Agency, admin', DEMO.owner.email),
          person('Agency, moderator', DEMO.moderator.email),
          person('Client', DEMO.clientUser.email),
        ]
      : []),
  ];
  const toTry = facts.hasDemo
    ? [
        'Log in as the agency admin and open Runs: missed calls were answered with a text message within a second.',
        'There, open Agents › Missed-call text-back › How to connect: reveal the URL, run the cURL command and watch the run appear under Runs.',
        ...(facts.websiteUrl === null
          ? []
          : [
              `Open ${facts.websiteUrl}, a client's website: ask its chat for a price, a text or a person. Log in as the client and reply under Inbox.`,
            ]),
        `Log in as staff and open Partners › ${DEMO.partner.name} › Automation: the twelve steps that installed its agents.`,
      ]
    : ['Log in as staff and create the first agency.'];
  return [
    '',
    `  The portal is at  ${facts.url}`,
    '',
    ...(people.length > 0 ? ['  Log in as', ...people, ''] : []),
    `  ${toTry.length === 1 ? 'First step' : 'Things to try'}`,
    ...toTry.map((line, index) => `    ${index + 1}. ${line}`),
    '',
    ...(facts.sandbox
      ? ['  Nothing leaves this machine: a sandbox replaces the third-party services. Staff see its requests under Outbox.']
      : []),
    `  Data: ${facts.dataDir}${facts.logFile ? `   Log: ${facts.logFile}` : ''}   API: ${facts.url}/api/docs   Stop: Ctrl-C`,
    '',
    '',
  ].join('\n');
}
