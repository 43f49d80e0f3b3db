import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateInput } from '@partner-portal/contract/records/template.ts';
import { button, dialog, field, fill, gone, holds, open, press, reads, screen, see, user, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, reply } from '../../testing/service.ts';

const ID = idOf(50);
const PATH = `/dashboard/agents/${ID}`;
const PHONE = '+13125550944';
const answers: Answers = {
  getAgent: reply('getAgent', { id: ID, name: 'Text-back', installed: true, isActive: true, callsModel: true }),
  getWorkflow: reply('getWorkflow', {
    id: ID,
    inputs: [sample(templateInput, { key: 'callerNumber', label: 'Caller number', required: true, example: PHONE, writtenTo: 'text' })],
  }),
};

test('an agent of a suspended client shows off, says why, and runs nothing', async () => {
  const agent = {
    ...reply('getAgent', { id: ID, name: 'Text-back', clientName: 'Oak Street Dental', installed: true, isActive: true }),
    missingConnections: [],
  };
  await open('owner', PATH, { ...answers, getAgent: { ...agent, clientStatus: 'suspended' } });
  await see('Client suspended');
  assert.equal((await screen.findByRole('switch')).getAttribute('aria-checked'), 'false');
  assert.equal((await button('Run once')).getAttribute('aria-disabled'), 'true');
  await open('owner', PATH, { ...answers, getAgent: { ...agent, clientStatus: 'active' } });
  await see('Working');
  assert.equal((await screen.findByRole('switch')).getAttribute('aria-checked'), 'true');
});

test('an agent without a key waits for its setup, or fails its runs once it is installed', async () => {
  for (const [installed, words] of [
    [false, /This agent waits for Twilio\. It can be installed once the key is saved\./],
    [true, /No key for Twilio is saved\. Runs fail until one is\./],
  ] as const) {
    const agent = reply('getAgent', { id: ID, name: 'Text-back', installed, isActive: true, missingConnections: ['twilio'] });
    await open('owner', PATH, { ...answers, getAgent: agent });
    await reads(document.body, words);
  }
});

test('an input with a value that is no JSON is not sent, its field gets the focus, and a long text keeps it', async () => {
  const service = await open('owner', PATH, {
    ...answers,
    triggerWorkflow: reply('triggerWorkflow', { executionId: idOf(99) }),
    getExecution: reply('getExecution', { id: idOf(99) }),
  });
  await press('Run once');
  const asked = await dialog();
  await reads(asked, /If it succeeds, it costs .* credits?; AI tokens on platform keys are charged in any case\./);
  await user.click(await within(asked).findByRole('radio', { name: 'JSON' }));
  const input = { callerNumber: PHONE, remark: 'x' };
  await fill('Input', JSON.stringify({ ...input, tries: 1 }), asked);
  await reads(asked, /a text to \+1 312 555 0944/);
  await user.click(await within(asked).findByRole('radio', { name: 'Fields' }));
  const remark = await field(/^remark/, asked);
  await user.type(remark, 'y'.repeat(90));
  assert.ok(remark.isConnected);
  assert.equal(remark.value, `x${'y'.repeat(90)}`);
  const tries = await field(/^tries/, asked);
  await user.type(tries, 'x');
  await press('Run once', asked);
  await holds(() => assert.equal(document.activeElement, tries));
  await user.click(await within(asked).findByRole('radio', { name: 'JSON' }));
  await holds(() => assert.equal(document.activeElement, tries));
  assert.deepEqual(service.sent('triggerWorkflow'), []);
  await user.keyboard('{Backspace}2');
  await gone(/This is not valid JSON yet/, asked);
  await press('Run once', asked);
  await holds(() => assert.equal(location.pathname, `/dashboard/runs/${idOf(99)}`));
  assert.deepEqual(service.sent('triggerWorkflow'), [{ input: { ...input, tries: 12, remark: `x${'y'.repeat(90)}` } }]);
});

test('who would get a text reads that none is sent where that is certain before it starts', async () => {
  const country = { reason: 'country_not_allowed', message: 'This number is in a country that this business does not text' };
  const quiet = { reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  let notTexted = [country];
  const testAgent = () => ({ input: { callerNumber: PHONE }, steps: [], notTexted });
  await open('owner', PATH, { ...answers, testAgent });
  await press('Run once');
  let asked = await dialog();
  await reads(asked, /No text will be sent: This number is in a country that this business does not text\./);
  assert.doesNotMatch(asked.textContent, /This can send/);
  // What holds of the sample's number is not said of another.
  await fill('Caller number', '+4915123456789', asked);
  await reads(asked, /This can send 1 message: a text to/);
  notTexted = [quiet];
  await open('owner', PATH, { ...answers, testAgent });
  await press('Run once');
  asked = await dialog();
  await fill('Caller number', '+4915123456789', asked);
  await reads(asked, /No text will be sent: It is quiet hours for the business\./);
});

test('the number of a sample is not offered as the reader’s own, one that was typed is', async () => {
  await open('owner', PATH, answers);
  await press('Run once');
  const asked = await dialog();
  await reads(asked, /This can send 1 message/);
  assert.equal(within(asked).queryByRole('button', { name: 'This is my phone' }), null);
  await fill('Caller number', '+4915123456789', asked);
  await button('This is my phone', asked);
});
