import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, open, type Person, press, savedFiles, screen, user } from '../testing/portal.ts';
import { type Answers, row } from '../testing/service.ts';

const CSV = 'Name\r\nMüller\r\n';

for (const [file, person, page, answers, save] of [
  ['of a list', 'owner', '/dashboard/clients', { exportClients: CSV }, () => press('Export as CSV')],
  [
    'of the audit log',
    'owner',
    '/dashboard/settings/audit',
    { exportAuditLogCsv: CSV },
    async () => {
      await press('Export');
      await user.click(await screen.findByRole('menuitem', { name: /^As CSV/ }));
    },
  ],
  [
    'that the page makes',
    'staff',
    '/admin/templates',
    { listTemplates: [row('listTemplates', { name: 'mueller', title: 'Müller' })] },
    () => press('Export as CSV'),
  ],
] satisfies [string, Person, string, Answers, () => Promise<void>][])
  test(`a CSV file ${file} is saved with one byte order mark`, async () => {
    await open(person, page, answers);
    await save();
    await holds(() => assert.equal(savedFiles.length, 1));
    const bytes = Buffer.from((await savedFiles[0]?.content.arrayBuffer()) ?? new ArrayBuffer());
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf');
    const text = bytes.subarray(3).toString();
    assert.match(text, /Müller/);
    assert.ok(!text.startsWith('\uFEFF'));
  });
