import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { FILE_PROBLEM_TEXTS } from '@partner-portal/core/media/file-problem.ts';
import { en } from '@partner-portal/messages/en/index.ts';
import { commonErrors } from '../service/platform/http/docs.ts';
import { reachedFiles } from '../scripts/testing/reached-files.ts';
import { textsInSource } from '../scripts/testing/texts-in-source.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Pages of clients, and those without a session: every file that they import is read. */
const PAGES = 'portal/routes/{__root,login,forgot-password,reset-password,unsubscribe,invite.$token,client/**/*}.tsx';

/** Where else every text is read by clients or visitors. */
const PLACES = [
  'portal/{chat,chat/view}/*.{ts,tsx}',
  'portal/widget/{frame-messages,launcher,main,widget}.ts',
  'service/modules/1-ledger/mail/compose/texts/{conversations,content,plain,reports}.ts',
  'service/modules/3-product/conversations/{turns,preview}/*.ts',
  'service/modules/3-product/chatbot/defaults.ts',
  'service/modules/5-reactions/notifications/send-sample.ts',
  'service/modules/6-views/{account-export/notify-ready,trust/read-access-log}.ts',
  'messages/*.ts',
];

/** Files that a client's pages import, and whose texts no client reads. */
const NOT_READ = [
  'portal/features/account-lifecycle/{agency-ways.tsx,decide-deletion.tsx,noted.ts,restore-client.tsx,restored-words.ts}', // drawn for agencies
  'portal/features/inbox/{cost-line,use-inbox-keys}.*', // costs are of agencies; the names of keys are in their list of shortcuts
  'portal/features/session/sso-*.tsx', // single sign-on is of agencies
  'portal/shared/sso.ts',
  'portal/features/shell/bars.tsx', // who views the portal of others, and the bar of a demo
  'portal/queries/agent-requests.ts', // states as agencies and staff name them
  'portal/shared/labels.ts',
  'portal/shared/note-dialog.tsx', // decisions of agencies and staff
  'portal/shared/page-error.tsx', // a client's pages give titles of their own
  'portal/ui/feedback/no-match.tsx',
  'portal/ui/controls/read-only.ts', // for who views the portal of others
  'portal/ui/layout/shell.tsx', // the frame of agencies and staff
  'portal/ui/overlays/{dialog,menu}.tsx', // parts that a client's pages do not use
  'portal/ui/forms/time-zones.ts', // the names of the IANA, the same in every language
  'portal/ui/hooks/use-favicon.ts', // a picture
  'portal/ui/hooks/use-media-query.ts', // a width
  'portal/ui/text/format.ts', // the English way; other languages take that of the browser
];

/** Texts in the other files that no client reads. */
const ALLOWED = [
  'portal/features/shell/user-menu.tsx: Keyboard shortcuts', // an entry of agencies and staff: clients have no list of shortcuts
  'portal/features/inbox/thread-page.tsx: Reply', // the same, in that list
  'portal/features/inbox/thread-page.tsx: Close the conversation',
  'portal/features/inbox/thread-page.tsx: Mark as read or unread',
  'portal/features/inbox/thread-page.tsx: Back to the list',
  'portal/features/inbox/inbox-page.tsx: The chatbot is not part of your plan', // to agencies
  'portal/features/inbox/inbox-page.tsx: With it, a client’s website answers visitors by itself, and people take over here.',
  'portal/features/session/login-form.tsx: This address is for your clients.', // to an agency's team at the address of its clients
  'portal/features/session/login-form.tsx: Your team logs in elsewhere.',
  'portal/features/session/login-form.tsx: Go to the login of your team',
  'portal/features/account/sessions.tsx: Android', // the name of a system
  'portal/queries/catalog.ts: Calls and visits', // groups of the catalog of agencies: clients read categories
  'portal/queries/catalog.ts: Leads',
  'portal/queries/catalog.ts: Answers and reviews',
  'portal/queries/catalog.ts: Reports',
  'portal/features/account-lifecycle/words.ts: Requested', // states in tables of agencies and staff
  'portal/features/account-lifecycle/words.ts: Approved',
  'portal/features/account-lifecycle/words.ts: Deleted',
  'portal/features/account-lifecycle/words.ts: Rejected',
  'portal/features/account-lifecycle/words.ts: Withdrawn',
  'portal/features/account-lifecycle/words.ts: a removed user',
  'portal/features/public/simple-page.tsx: Go to the portal', // the page of a client gives its own
  'portal/features/public/simple-page.tsx: Log in',
  'portal/features/public/simple-page.tsx: Service status',
  'portal/app/current-user.ts: Ask an admin of your agency:', // to moderators of an agency
  'portal/app/current-user.ts: Ask an admin of your agency.',
  'portal/shared/media/crop-dialog.tsx: Crop the logo', // the logo of an agency
  'portal/shared/media/crop-dialog.tsx: Save logo',
  'portal/shared/media/crop-dialog.tsx: Text in place of the logo',
  'portal/shared/media/crop-dialog.tsx: Read aloud, and shown where images are off: usually the name of the agency',
  'portal/shared/media/crop-dialog.tsx: Light theme',
  'portal/shared/media/crop-dialog.tsx: Dark theme',
  'portal/shared/export-button.tsx: Export as CSV', // the word of agencies; a client's page gives its own
  'portal/shared/forms/form.tsx: grid gap-5', // a class
  'portal/ui/keyboard/key-bindings.ts: mod+', // a key
  'portal/ui/table/table.tsx: Next row', // in the list of shortcuts
  'portal/ui/table/table.tsx: Previous row',
  'portal/ui/table/table.tsx: Open the row',
  'portal/ui/table/table.tsx: Select the row',
  'portal/ui/table/table.tsx: move,', // tables that open rows are of agencies and staff
  'portal/ui/table/table.tsx: Enter',
];

/** The menu of the report's PDF and the hint to install the portal, whose texts came before their buttons. */
const PREPARED = /^(report-page\.(pdf|paper)|install\.)/;

describe('the texts that clients read', () => {
  const find = (place: string): string[] => globSync(place, { cwd: ROOT });
  const apart = new Set(NOT_READ.flatMap(find));
  const files = [...new Set([...reachedFiles(ROOT, find(PAGES)), ...PLACES.flatMap(find)])].filter(
    (file) => !file.includes('.test.') && !apart.has(file),
  );

  it('stand in the catalog, not in the components', () => {
    assert.ok(files.length > 220, `only ${files.length} files`);
    for (const place of [PAGES, ...PLACES, ...NOT_READ]) assert.ok(find(place).length > 0, place);
    const outside = files.flatMap((file) =>
      textsInSource(file, read(file))
        .filter(({ text }) => !ALLOWED.includes(`${file}: ${text}`))
        .map(({ line, text }) => `${file}:${line}: ${text}`),
    );
    assert.deepEqual(outside, []);
  });

  for (const [what, source, found] of [
    ['in an element', 'const A = () => <p>\n  Your agents\n</p>;', ['Your agents']],
    ['in a prop', 'const A = () => <Field label="Time zone" className="grid gap-2" data-field="x" />;', ['Time zone']],
    ['in a choice', "const A = ({ on }) => <b>{on ? 'Switched on' : t('client.off')}</b>;", ['Switched on']],
    ['in a template', 'const A = () => <Box title={`Delete ${name}?`} />;', ['Delete']],
    ['in a list', "const ROWS = [{ value: 'done', label: 'Done by now' }];", ['Done by now']],
    ['in a call', "announce('Saved for good.');", ['Saved for good.']],
    ['in a result', "function words() { return 'Not active'; }", ['Not active']],
    ['nowhere', "import x from 'A B'; const A = () => <Link to=\"/client\" className=\"Big Box\">{t('client.home')} · {'–'}</Link>;", []],
  ] as const)
    it(`are found ${what} by this test`, () =>
      assert.deepEqual(
        textsInSource('planted.tsx', source).map(({ text }) => text),
        found,
      ));
});

/** Codes of fields that no form of a client or without a session has. */
const FIELDS_OF_OTHERS = [
  'ambiguous',
  'bad_window',
  'before_issue',
  'encrypted', // documents of agencies
  'html',
  'https_required',
  'in_the_future',
  'in_the_past',
  'in_use',
  'invalid_type', // bodies of programs
  'malformed',
  'missing',
  'name_not_found',
  'no_question',
  'not_accepted', // a secret of single sign-on
  'not_allowed',
  'not_begun', // months of an address that was typed
  'not_ended',
  'not_found',
  'not_offered',
  'not_readable',
  'other_client',
  'other_currency',
  'query_failed',
  'repeated_template',
  'too_early',
  'too_far',
  'too_large',
  'too_much',
  'trial_plan',
  'unexpected',
  'unknown', // names that a page takes from the service itself
  'unknown_currency',
  'unknown_template',
  'unreachable',
];

describe('the refusals that clients meet', () => {
  const isMet = ({ access }: RouteShape): boolean =>
    access.kind === 'public' || (access.kind === 'session' && access.roles.includes('CLIENT'));
  const met = Object.values<RouteShape>(routes).filter(isMet);
  const codes = [...new Set(met.flatMap((route) => [...commonErrors(route), ...route.errors]))];

  it('have a text of their own in the catalog, whichever route declares them', () => {
    assert.ok(met.length > 150 && codes.length > 50, `${met.length} routes, ${codes.length} codes`);
    assert.deepEqual(
      codes.filter((code) => !(`problem.${code}` in en)),
      [],
    );
  });

  it('of fields have one too, apart from those that only agencies, staff and programs meet', () => {
    const sources = globSync('service/**/*.ts', { cwd: ROOT, exclude: (name) => /node_modules|dist/.test(name) })
      .filter((file) => !/\.(?:test|gen)\./.test(file))
      .map(read)
      .join('\n');
    const written = [...sources.matchAll(/refuseField\(\s*[^,]+?,\s*'(\w+)'|\{ field\w*(?:: [^,{}]+)?, code: '(\w+)'/g)].map(
      (found) => found[1] ?? found[2],
    );
    const decided = ['template/settings.ts', 'people/name.ts'].flatMap((file) =>
      [...read(`core/${file}`).matchAll(/^(?:export type \w+ = \{ |  )code: ((?:'\w+'(?: \| )?)+)/gm)].flatMap(
        ([, union = '']) => union.match(/\w+/g) ?? [],
      ),
    );
    assert.ok(written.length > 80 && decided.length >= 10, `${written.length} written, ${decided.length} decided`);
    const found = new Set([...written, ...decided, ...Object.keys(FILE_PROBLEM_TEXTS)].filter((code) => code !== undefined));
    const without = [...found].filter((code) => !(`problem.field-${code}` in en));
    assert.deepEqual(without.toSorted(), FIELDS_OF_OTHERS.toSorted());
  });
});

describe('the messages of the catalog', () => {
  const sources = globSync('{portal,service,messages}/**/*.{ts,tsx}', { cwd: ROOT, exclude: (name) => /node_modules|dist/.test(name) })
    .filter((file) => !/\.test\.|\.gen\.|^messages\/\w+\//.test(file))
    .map(read)
    .join('\n');

  it('are all used, and each that is used exists', () => {
    const keys = Object.keys(en);
    const areas = [...new Set(keys.map((key) => key.split('.')[0] ?? ''))].join('|');
    const named = new Set([...sources.matchAll(new RegExp(`['"\`]((?:${areas})\\.[\\w.-]+)['"\`]`, 'g'))].map(([, key = '']) => key));
    const built = [...sources.matchAll(new RegExp(`\`((?:${areas})\\.[^\`]*\\$\\{[^\`]*)\``, 'g'))].map(
      ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '[\\w-]+')}$`),
    );
    assert.deepEqual(
      keys.filter((key) => !PREPARED.test(key) && !named.has(key) && !built.some((pattern) => pattern.test(key))),
      [],
      'unused',
    );
    // Other names share the form of a key: only those that are passed to t() count.
    const passed = [...sources.matchAll(/\bt\(\s*'([\w-]+\.[\w.-]+)'/g)].map(([, key = '']) => key);
    assert.ok(passed.length > 400, String(passed.length));
    assert.deepEqual(
      passed.filter((key) => !(key in en)),
      [],
      'missing',
    );
  });
});
