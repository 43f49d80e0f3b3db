import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateConfig, templateInput } from '@partner-portal/contract/records/template.ts';
import {
  button,
  dialog,
  field,
  fill,
  gone,
  holds,
  isInactive,
  isInvalid,
  noDialog,
  open,
  press,
  reads,
  screen,
  see,
  sessionOf,
  settled,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, reply } from '../../testing/service.ts';

const ID = idOf(50);
const RUN = idOf(99);
const CLIENT = { clientId: idOf(2), clientName: 'Oak Street Dental' };
const PATH = `/dashboard/agents/${ID}`;
const ACTION = 'Send it to my phone';
const SAMPLE = { visitorPhone: '+13125550121', businessNumber: '+13125550100', visitorEmail: 'ada@example.com', rating: 5 };
const agent = reply('getAgent', {
  id: ID,
  name: 'Text-back',
  installed: true,
  isActive: true,
  creditsPerRun: 1,
  callsModel: false,
  ...CLIENT,
});
const inputs = [
  sample(templateInput, { key: 'visitorPhone', type: 'phone', required: true, writtenTo: 'text' }),
  sample(templateInput, { key: 'businessNumber', type: 'phone', required: true, writtenTo: null }),
  sample(templateInput, { key: 'visitorEmail', type: 'email', required: false, writtenTo: 'mail' }),
];
/** Reads "312 555 0944" as the service does; a text with another number of digits is none, and left out. */
const answers: Answers = {
  getAgent: agent,
  getWorkflow: reply('getWorkflow', { id: ID, inputs }),
  testAgent: ({ body }) => {
    const { visitorPhone, ...others } = { ...(body.input ?? SAMPLE) };
    const digits = String(visitorPhone).replace(/\D/g, '').replace(/^1/, '');
    const to = digits.length === 10 ? `+1${digits}` : undefined;
    const rendered = { channel: 'text', to: to ?? '', body: 'Sorry we missed your call.' };
    return {
      input: to === undefined ? others : { ...others, visitorPhone: to },
      steps: [{ name: 's', label: 'Send', kind: 'http', rendered }],
    };
  },
  triggerWorkflow: reply('triggerWorkflow', { executionId: RUN }),
  getMe: () => me('owner', true),
};
function me(person: 'owner' | 'moderator', sandbox: boolean) {
  const { user } = sessionOf(person);
  const { partner, client, features } = user;
  return reply('getMe', { user, partner, client, features, admins: ['Maya Lindqvist'], sandbox });
}
type Run = ReturnType<typeof reply<'getExecution'>>;
const runOf = (given: Partial<Run>): Run => reply('getExecution', { id: RUN, workflowId: ID, ...CLIENT, ...given });
const sent = runOf({ status: 'SUCCEEDED', tone: 'good', creditsCharged: 1, output: {} });

async function ask(): Promise<HTMLElement> {
  await press(ACTION);
  return dialog(ACTION);
}

test('the sample goes to the number alone as one test run, whose state is followed until it ended', async () => {
  let run = runOf({ status: 'RUNNING' });
  const service = await open('owner', PATH, { ...answers, getExecution: () => run });
  const asked = await ask();
  const number = await field('Your phone number', asked);
  await holds(() => assert.equal(document.activeElement, number));
  assert.deepEqual([number.type, number.autocomplete], ['tel', 'tel']);
  await reads(asked, /1 credit, nothing if the run fails(?!;)[\s\S]*Sorry we missed your call\./);
  await user.type(number, '(312) 555-0944');
  await reads(asked, /To \(312\) 555-0944/);
  await reads(asked, /Counts.*among the results of Oak Street Dental, as any run/);
  assert.deepEqual(service.sent('triggerWorkflow'), [], 'a preview sends nothing');
  await settled();
  const previewed = () => service.sent('testAgent').filter(({ input }) => input !== undefined);
  assert.deepEqual(previewed(), [], 'a number that is typed is no preview of its own');
  await user.keyboard('{Enter}');
  await reads(asked, /Sending\. The run for \+1 312 555 0944 is under way/);
  assert.deepEqual(service.sent('triggerWorkflow'), [
    { input: { visitorPhone: '+13125550944', businessNumber: SAMPLE.businessNumber, rating: 5 }, isTest: true },
  ]);
  assert.equal(previewed().length, 1);
  await holds(() => assert.ok(asked.contains(document.activeElement), 'the focus is in the dialog'));
  // A page that begins to follow reads the run once more, and would follow an ended one no longer.
  const report = (): boolean => service.send(`/executions/stream?workflowId=${ID}`, 'execution', { id: RUN });
  await holds(() => assert.ok(report()));
  run = sent;
  assert.ok(report());
  await reads(asked, /Sent, to the sandbox\. No text left this machine/);
  await reads(asked, /It cost 1 credit\./);
  assert.equal((await within(asked).findByRole('link', { name: 'Open run' })).getAttribute('href'), `/dashboard/runs/${RUN}`);
  assert.ok(!JSON.stringify({ ...localStorage }).includes('5550944'), 'the number is not stored');
  await press('Done', asked);
  await noDialog();
});

test('a number that cannot be read is refused at its field, and nothing is sent until it is corrected', async () => {
  const service = await open('owner', PATH, { ...answers, getExecution: sent });
  const asked = await ask();
  const number = await field('Your phone number', asked);
  await press('Send text', asked);
  await see(/This number cannot be read/, asked);
  await user.type(number, '555 0944 12345');
  await gone(/This number cannot be read/, asked);
  await press('Send text', asked);
  await see(/This number cannot be read/, asked);
  await holds(() => assert.deepEqual([isInvalid(number), document.activeElement === number], [true, true]));
  assert.deepEqual(service.sent('triggerWorkflow'), []);
  await fill('Your phone number', '312 555 0944', asked);
  await press('Send text', asked);
  await reads(asked, /Sent, to the sandbox/);
  assert.equal(service.sent('triggerWorkflow').length, 1);
});

test('a real account texts from a number of its own, which is that of the client unless another is typed', async () => {
  const service = await open('owner', PATH, {
    ...answers,
    getMe: me('owner', false),
    getClient: reply('getClient', { id: CLIENT.clientId, phone: '+13125550199' }),
    getExecution: sent,
  });
  const asked = await ask();
  await holds(() => assert.equal(within(asked).getByLabelText<HTMLInputElement>('Sent from').value, '+13125550199'));
  await fill('Sent from', '', asked);
  await fill('Your phone number', '312 555 0944', asked);
  await press('Send text', asked);
  await see('Enter the number that texts are sent from.', asked);
  assert.deepEqual(service.sent('triggerWorkflow'), []);
  await fill('Sent from', '+13125550188', asked);
  await press('Send text', asked);
  await reads(asked, /Sent\. Twilio accepted the text for \+1 312 555 0944/);
  const input = service.sent('triggerWorkflow')[0]?.input;
  assert.deepEqual([input?.['businessNumber'], input?.['visitorPhone']], ['+13125550188', '+13125550944']);
});

test('what stopped a text, or failed it, is said with the page that changes it; another number can be tried', async () => {
  const quiet = { skipped: true, reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  let run = runOf({ status: 'SUCCEEDED', tone: 'neutral', stopped: true, creditsCharged: 1, output: quiet });
  await open('owner', PATH, { ...answers, getExecution: () => run });
  const asked = await ask();
  await fill('Your phone number', '312 555 0944', asked);
  await press('Send text', asked);
  await reads(asked, /No text was sent\. It is quiet hours for the business\. It cost 1 credit\./);
  await within(asked).findByRole('link', { name: 'Change the quiet hours' });
  await see('Nothing is sent', asked);

  const countries = { reason: 'country_not_allowed', message: 'This number is in a country that this business does not text' };
  run = runOf({ status: 'SUCCEEDED', tone: 'neutral', stopped: true, creditsCharged: 0, output: { skipped: true, ...countries } });
  await press('Change the number', asked);
  const number = await field('Your phone number', asked);
  await holds(() => assert.deepEqual([number.value, document.activeElement], ['312 555 0944', number]));
  await press('Send text', asked);
  const link = await within(asked).findByRole('link', { name: 'Change the countries' });
  assert.equal(link.getAttribute('href'), `/dashboard/clients/${CLIENT.clientId}?tab=settings`);

  const error = { code: 'twilio_key_refused', message: 'Twilio did not accept the saved key', stepName: 'send_text' };
  run = runOf({ status: 'FAILED', creditsCharged: 0, error });
  await press('Change the number', asked);
  await press('Send text', asked);
  await reads(asked, /Twilio did not accept the saved key\. Save a valid key for Twilio/);
  await within(asked).findByRole('link', { name: 'Replace the Twilio key' });
});

test('in quiet hours it says before it is sent that no text is, and the answer leads to the field that changes them', async () => {
  const quiet = { reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  const setting = sample(templateConfig, { key: 'quietHours', label: 'Quiet hours', type: 'time-range', default: '21:00-08:00' });
  await open('owner', PATH, {
    ...answers,
    getAgent: { ...agent, configSchema: [setting], config: {} },
    testAgent: { input: SAMPLE, steps: [], notTexted: [quiet] },
    getExecution: runOf({ status: 'SUCCEEDED', tone: 'neutral', stopped: true, creditsCharged: 1, output: { skipped: true, ...quiet } }),
  });
  // From the settings themselves, again after another try, and from a tab in which the field is not there yet.
  for (const tab of ['', '', '?tab=connect']) {
    if (tab !== '') await user.click(await screen.findByRole('link', { name: 'How to connect' }));
    const asked = await ask();
    await reads(asked, /1 credit, also when no text is sent[\s\S]*No text will be sent now\. It is quiet hours for the business\./);
    await fill('Your phone number', '312 555 0944', asked);
    await press('Send text', asked);
    await user.click(await within(asked).findByRole('link', { name: 'Change the quiet hours' }));
    await noDialog();
    await holds(() => assert.equal(document.activeElement?.getAttribute('aria-label'), 'Quiet hours from'));
    await holds(() => assert.equal(location.search, ''));
  }
});

test('the action names what is missing, is off for a moderator, and absent where no person is texted', async () => {
  await open('owner', PATH, { ...answers, getAgent: { ...agent, installed: false, missingConnections: ['twilio'] } });
  const action = await button(ACTION);
  assert.ok(isInactive(action));
  await user.hover(action);
  await see(/This agent has no key for Twilio yet/);

  await open('owner', PATH, { ...answers, getAgent: { ...agent, isActive: false } });
  assert.ok(isInactive(await button(ACTION)));
  await open('owner', PATH, { ...answers, getAgent: { ...agent, clientStatus: 'suspended' } });
  assert.ok(isInactive(await button(ACTION)));
  await open('moderator', PATH, { ...answers, getMe: me('moderator', true) });
  assert.ok(isInactive(await button(ACTION)));
  await open('owner', PATH, answers);
  assert.ok(!isInactive(await button(ACTION)));

  await open('owner', PATH, { ...answers, getWorkflow: reply('getWorkflow', { id: ID, inputs: inputs.slice(1) }) });
  await button('Run once');
  assert.equal(screen.queryByRole('button', { name: ACTION }), null);
});

test('from another page, the answer leads to the field of the agent that stopped the text', async () => {
  const quiet = { reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  const setting = sample(templateConfig, { key: 'quietHours', label: 'Quiet hours', type: 'time-range', default: '21:00-08:00' });
  const textingAgent = { id: ID, name: 'Text-back', clientName: CLIENT.clientName };
  await open('owner', '/dashboard/first-steps', {
    ...answers,
    getOnboarding: reply('getOnboarding', { items: [], sample: null, dismissedAt: null, textingAgent }),
    getAgent: { ...agent, configSchema: [setting], config: {} },
    getExecution: runOf({ status: 'SUCCEEDED', tone: 'neutral', stopped: true, creditsCharged: 1, output: { skipped: true, ...quiet } }),
  });
  const asked = await ask();
  await fill('Your phone number', '312 555 0944', asked);
  await press('Send text', asked);
  const link = await within(asked).findByRole('link', { name: 'Change the quiet hours' });
  // A frame passes before the page is rendered.
  const frame = globalThis.requestAnimationFrame;
  globalThis.requestAnimationFrame = (act) => Number(act(0));
  await user.click(link).finally(() => Object.assign(globalThis, { requestAnimationFrame: frame }));
  await screen.findByRole('heading', { level: 1, name: 'Text-back' });
  await holds(() => assert.equal(document.activeElement?.getAttribute('aria-label'), 'Quiet hours from'));
});

test('the first steps offer it for an agent that is ready to text', async () => {
  const textingAgent = { id: ID, name: 'Text-back', clientName: CLIENT.clientName };
  const steps = (given: object) => ({ getOnboarding: reply('getOnboarding', { items: [], sample: null, dismissedAt: null, ...given }) });
  await open('owner', '/dashboard/first-steps', { ...answers, ...steps({ textingAgent: null }) });
  assert.equal(screen.queryByRole('button', { name: ACTION }), null);
  const service = await open('owner', '/dashboard/first-steps', { ...answers, ...steps({ textingAgent }), getExecution: sent });
  const asked = await ask();
  await fill('Your phone number', '312 555 0944', asked);
  await press('Send text', asked);
  await reads(asked, /Sent, to the sandbox/);
  assert.equal(service.sent('triggerWorkflow').length, 1);

  // So does the overview of a new agency.
  const event = { key: 'event', label: 'Send a test event', action: 'Choose an agent', href: '/dashboard/agents', done: false } as const;
  const summary = reply('getMySummary', {
    checklist: [{ ...event, dismissedAt: null }],
    checklistDismissedAt: null,
    sampleDataEndsAt: null,
  });
  await open('owner', '/dashboard', { ...answers, ...steps({ textingAgent }), getMySummary: summary });
  await ask();
});
