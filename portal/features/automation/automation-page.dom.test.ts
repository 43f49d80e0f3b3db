import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceWorkflow } from '@partner-portal/contract/records/provisioning.ts';
import { button, dialog, holds, isInactive, open, press, screen, see, user, within } from '../../testing/portal.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, Refused, reply, row } from '../../testing/service.ts';

const ID = idOf(1);
const PATH = `/admin/partners/${ID}/automation`;
const PARTNER = reply('getPartner', { id: ID, name: 'Swift Signs', slug: 'swift-signs' });
const workflow = sample(instanceWorkflow, {
  workflowId: idOf(2),
  name: 'Lead intake cleaner',
  templateName: 'lead-intake-cleaner',
  isActive: true,
});
const READY = reply('getAutomation', {
  status: 'ready',
  canRepair: true,
  workflows: [workflow],
  workflowCount: 1,
  installedCount: 1,
  installedClientCount: 1,
});
const found = sample(routes.preflight.reply[200].shape.templates.element, { templateName: 'lead-intake-cleaner', ready: true });
const preflight = reply('preflight', { ready: 1, total: 1, templates: [found] });
const answers = { getPartner: PARTNER, getAutomation: READY, preflight } satisfies Answers;
/** The test looks at the request, not at its outcome. */
const never = (): never => {
  throw new Refused('provision_in_progress');
};

test('repair, recreate and take-down ask the service to answer at once: no page waits for a setup', async () => {
  const service = await open('staff', PATH, { ...answers, reprovision: never, deprovision: never });
  const preferences = () =>
    service.calls
      .filter(({ name }) => name === 'reprovision' || name === 'deprovision')
      .map(({ name, headers }) => `${name} ${headers.get('prefer') ?? ''}`);
  await press('Repair');
  const repair = await dialog('Repair Swift Signs');
  await press('Repair 1 template', repair);
  await holds(() => assert.deepEqual(preferences(), ['reprovision respond-async']));
  await press('Cancel', repair);
  for (const what of ['Recreate', 'Deprovision']) {
    await press('More');
    await user.click(await screen.findByRole('menuitem', { name: what }));
    const asked = await dialog(`${what} Swift Signs?`);
    const act = await button(what, asked);
    assert.ok(isInactive(act));
    await user.type(within(asked).getByRole('textbox', { name: /to confirm$/ }), 'swift-signs');
    await user.click(act);
    await holds(() => assert.ok(preferences().at(-1)?.endsWith(' respond-async')));
    await press(/^(Keep|Cancel|Back)/, asked);
  }
  assert.deepEqual(preferences(), ['reprovision respond-async', 'reprovision respond-async', 'deprovision respond-async']);
});

test('the page says how many of its agents are listed, and a take-down names all agents that stop', async () => {
  await open('staff', PATH, {
    ...answers,
    getAutomation: { ...READY, workflowCount: 11_846, installedCount: 11_800, installedClientCount: 9_999 },
  });
  await see(/Showing 1 of 11,846 workflows/);
  await press('More');
  await user.click(await screen.findByRole('menuitem', { name: 'Deprovision' }));
  await holds(() =>
    assert.match(screen.getByRole('dialog', { name: 'Deprovision Swift Signs?' }).textContent ?? '', /11,800 agents of 9,999 clients/),
  );
});

const FAILED = { ...READY, status: 'failed' as const };

test('a repair that failed is offered again', async () => {
  await open('staff', PATH, { ...answers, getAutomation: FAILED, reprovision: never });
  await press('Repair again');
  await dialog('Repair Swift Signs');
});

test('after another setup that failed a provision is offered', async () => {
  await open('staff', PATH, { ...answers, getAutomation: { ...FAILED, canRepair: false } });
  await button('Provision again');
});

const UNCHECKED: { [tip: string]: { step: string; what: string }[] } = {
  'The flow is of a former version. Repair fixes it.': [{ step: 'The flow', what: 'is of a former version' }],
  'The engine returned an error for this flow; see the log.': [],
};
for (const [tip, differences] of Object.entries(UNCHECKED)) {
  test(`a flow that could not be checked says why: ${tip}`, async () => {
    const drift = { state: 'unchecked' as const, checkedAt: '2026-03-02T10:00:00.000Z', differences };
    await open('staff', PATH, { ...answers, getAutomation: reply('getAutomation', { ...READY, workflows: [{ ...workflow, drift }] }) });
    await user.hover(await screen.findByText('Could not be checked'));
    await holds(() => assert.ok(screen.getByRole('tooltip').textContent?.endsWith(tip)));
  });
}

test('the preflight names a required setting that an agent lacks, although it can be installed', async () => {
  const lacking = { ...found, missingSettings: [{ key: 'fromEmail', label: 'Sender address' }] };
  await open('staff', PATH, { ...answers, preflight: reply('preflight', { ready: 1, total: 1, templates: [lacking] }) });
  await see(/Needs sender address: runs fail without it/);
});

test('the instance was last set up when the newest attempt that succeeded ended', async () => {
  const attempt = (number: number, changes: object) =>
    row('listAttempts', { id: idOf(40 + number), number, mode: 'repair', status: 'succeeded', ...changes });
  await open('staff', PATH, {
    ...answers,
    getAutomation: { ...READY, provisionedAt: '2026-06-01T13:31:28.000Z' },
    listAttempts: [
      attempt(3, { status: 'failed', finishedAt: '2026-06-03T15:00:00.000Z' }),
      attempt(2, { finishedAt: '2026-06-02T13:53:28.000Z' }),
      attempt(1, { mode: 'provision', finishedAt: '2026-06-01T13:31:28.000Z' }),
    ],
  });
  const label = await screen.findByText('Last set up');
  await holds(() => assert.equal(label.nextElementSibling?.querySelector('time')?.getAttribute('datetime'), '2026-06-02T13:53:28.000Z'));
});
