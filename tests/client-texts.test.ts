import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from '@partner-portal/messages/en/index.ts';
import { textsInSource } from '../scripts/testing/texts-in-source.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Where every text is read by clients, or by agencies and clients. */
const PLACES = [
  'portal/features/client/*.tsx',
  'portal/features/account/*.tsx',
  'portal/features/notifications/*.tsx',
  'portal/features/session/{invite-page,login-form,mfa-form,forgot-form,reset-form,public-page}.tsx',
  'portal/features/shell/{client-shell,user-menu}.tsx',
  'portal/features/requests/suggestions-page.tsx',
  'portal/features/chatbot/own-chatbot.tsx',
  'portal/routes/client/**/*.tsx',
  'portal/routes/{login,forgot-password,reset-password,invite.$token}.tsx',
  'portal/{chat,chat/view}/*.{ts,tsx}',
  'portal/widget/{frame-messages,launcher,main,widget}.ts',
  'portal/shared/{error-block,export-button,loaded,part}.tsx',
  'portal/shared/forms/*.{ts,tsx}',
  'portal/ui/forms/{code-boxes,field,new-password-field,save-bar,select,timezone-field}.tsx',
  'portal/ui/feedback/{toast,skeleton,live-dot,empty-state}.tsx',
  'portal/ui/controls/{button,chips,copy-button,switch}.tsx',
  'portal/ui/overlays/drawer.tsx',
  'service/modules/1-ledger/mail/compose/texts/{conversations,content,plain}.ts',
];

/** Texts in these files that no client reads. */
const ALLOWED = [
  'portal/features/shell/user-menu.tsx: Keyboard shortcuts', // an entry of agencies and staff: clients have no shortcuts
  'portal/features/session/login-form.tsx: This address is for your clients.', // to an agency's team at the address of its clients
  'portal/features/session/login-form.tsx: Your team logs in elsewhere.',
  'portal/features/session/login-form.tsx: Go to the login of your team',
  'portal/shared/export-button.tsx: Export as CSV', // the word of agencies; a client's page gives its own
  'portal/shared/forms/form.tsx: grid gap-5', // a class
];

/** The menu of the report's PDF and the hint to install the portal, whose texts came before their buttons. */
const PREPARED = /^(report-page\.(pdf|paper)|install\.)/;

describe('the texts that clients read', () => {
  const files = PLACES.flatMap((place) => globSync(place, { cwd: ROOT })).filter((file) => !file.includes('.test.'));

  it('stand in the catalogue, not in the components', () => {
    assert.ok(files.length > 55, `only ${files.length} files`);
    for (const place of PLACES) assert.ok(globSync(place, { cwd: ROOT }).length > 0, place);
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

describe('the messages of the catalogue', () => {
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
