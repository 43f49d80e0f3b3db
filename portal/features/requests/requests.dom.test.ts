import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { button, dialog, fill, holds, isInactive, noDialog, open, press, reads, screen, see, user, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

type Request = ReturnType<typeof row<'listAgentRequests'>>;
const request = (given: Partial<Request> = {}): Request =>
  row('listAgentRequests', {
    id: idOf(40),
    kind: 'custom',
    title: 'Water the plants',
    clientName: 'Oak Street Dental',
    partnerName: 'Northwind Digital',
    status: 'submitted',
    ...given,
  });
const CLOSED: readonly Request['status'][] = ['fulfilled', 'rejected', 'cancelled', 'declined'];
/** The list of requests, open ones and others apart. */
const listed =
  (all: () => Request[]): NonNullable<Answers['listAgentRequests']> =>
  ({ query: { open: isOpen } }) => ({
    data: all().filter(({ status }) => isOpen === undefined || isOpen !== CLOSED.includes(status)),
    nextCursor: null,
  });
const column = (name: string): HTMLElement => screen.getByRole('region', { name });
const card = (name: RegExp, part: HTMLElement) => within(part).findByRole('button', { name });

test('an open board shows a request of another user without a reload', async () => {
  let all = [request({ title: 'Feed the fish' })];
  const service = await open('owner', '/dashboard/requests', { listAgentRequests: listed(() => all) });
  await card(/Feed the fish/, column('Submitted'));
  all = [request({ id: idOf(41) }), ...all];
  await holds(() => assert.ok(service.send('/agent-requests/stream', 'request', all[0])));
  await card(/Water the plants/, column('Submitted'));
});

test('a board that holds the newest says so in its counts, and a link to an older request opens it', async () => {
  const old = request({ id: idOf(77), title: 'Text the early', status: 'rejected', decisionNote: 'Too early for texts.' });
  await open('owner', `/dashboard/requests?request=${old.id}`, {
    listAgentRequests: ({ query: { open: isOpen } }) => ({
      data: [request(isOpen ? {} : { id: idOf(41), title: 'Feed the fish', status: 'fulfilled' })],
      nextCursor: 'more',
    }),
    getAgentRequest: ({ params: { id } }) => ({ ...old, id }),
  });
  await see('1+ open requests');
  await reads(column('Done'), /Done1\+/);
  await reads(await dialog('Text the early'), /Too early for texts\./);
  // An older one may still be to decide.
  await open('staff', '/admin/requests', { listAgentRequests: { data: [request({ status: 'approved' })], nextCursor: 'more' } });
  await see('None of the newest 100 to decide');
});

test('staff reject with a note, which they cannot leave out', async () => {
  const asked = request({ title: 'Phone everybody twice a day' });
  const service = await open('staff', '/admin/requests', {
    listAgentRequests: listed(() => [asked]),
    rejectAgentRequest: ({ body: { note } }) => Object.assign(asked, { status: 'rejected', decisionNote: note }),
  });
  await user.click(await card(/Phone everybody/, column('To decide')));
  await press('Reject', await dialog(asked.title));
  const rejecting = await dialog(/^Reject/);
  assert.ok(isInactive(await button('Reject', rejecting)));
  await fill(/^Note/, 'People would hate it.', rejecting);
  await press('Reject', rejecting);
  await card(/Phone everybody/, column('Done'));
  await reads(await dialog(asked.title), /People would hate it\./);
  assert.deepEqual(service.sent('rejectAgentRequest'), [{ note: 'People would hate it.' }]);
});

test('a client asks its agency for an agent, and the agency finds it among the suggestions', async () => {
  const offered = row('listCatalog', { name: 'no-show-rebooking', title: 'No-show rebooking', installed: false });
  let made: Request[] = [];
  const answers: Answers = {
    listCatalog: [offered],
    listAgentRequests: listed(() => made),
    createAgentRequest: ({ body }) => {
      made = [
        request({
          title: offered.title,
          templateName: body.templateName ?? null,
          description: body.description ?? '',
          status: 'suggested',
          origin: 'client',
        }),
      ];
      return made;
    },
  };
  const service = await open('client', '/client/suggestions', answers);
  await press('Request', await screen.findByRole('listitem'));
  await fill(/^Message to Northwind Digital/, 'Eight empty chairs last month.', await dialog());
  await press('Ask Northwind Digital');
  await see(/Northwind Digital has your request\./);
  assert.deepEqual(service.sent('createAgentRequest'), [
    { templateName: 'no-show-rebooking', description: 'Eight empty chairs last month.' },
  ]);

  await open('owner', '/dashboard/requests', answers);
  await user.click(await card(/No-show rebooking/, column('Suggested by clients')));
  await reads(await dialog('No-show rebooking'), /Eight empty chairs last month\./);
});

test('a suggestion stands among what needs the agency, one click from its answer', async () => {
  const suggested = request({ title: 'Answer in Spanish', status: 'suggested', origin: 'client' });
  await open('owner', '/dashboard', {
    getMySummary: reply('getMySummary', {
      attention: [
        {
          kind: 'request_waiting',
          alert: null,
          title: 'Answer in Spanish was suggested',
          subject: null,
          detail: '',
          action: 'Open request',
          href: `/dashboard/requests?request=${suggested.id}`,
          since: null,
        },
      ],
    }),
    listAgentRequests: listed(() => [suggested]),
    submitAgentRequest: () => Object.assign(suggested, { status: 'submitted' }),
  });
  await user.click(await screen.findByRole('link', { name: 'Open request' }));
  await press('Submit request', await dialog('Answer in Spanish'));
  await card(/Answer in Spanish/, column('Submitted'));
});

test('staff decide about a request with its preflight, words and history in sight, and the next item opens by itself', async () => {
  const first = request({
    id: idOf(40),
    kind: 'template',
    templateName: 'ai-faq-reply',
    title: 'FAQ reply',
    description: 'Most people ask the same five things.',
    missingSettings: [{ key: 'fromEmail', label: 'Sender address', fromProfile: null }],
  });
  const second = request({
    id: idOf(41),
    kind: 'template',
    templateName: 'lead-intake-cleaner',
    title: 'Lead intake',
    description: 'Names arrive in capitals.',
  });
  const open_ = [first, second];
  const template = routes.preflight.reply[200].shape.templates.element;
  const cell = sample(template.shape.cells.element, { provider: 'twilio', state: 'inherited', savedAt: first.createdAt });
  const service = await open('staff', `/admin?item=agent_request.${first.id}`, {
    getStaffCounts: { partners: 17, failingEndpoints: 0 },
    getWorkQueue: () =>
      open_.map(({ id, title }) =>
        row('getWorkQueue', { kind: 'agent_request', itemId: id, title, partnerId: idOf(1), partnerName: 'Northwind Digital' }),
      ),
    getAgentRequest: ({ params }) => (params.id === first.id ? first : second),
    preflight: reply('preflight', {
      templates: [sample(template, { creditsPerRun: 2, cells: [{ ...cell, provider: 'openai', state: 'missing', savedAt: null }, cell] })],
    }),
    getPartner: reply('getPartner', { id: idOf(1), automationStatus: 'ready' }),
    getQuota: reply('getQuota', { remaining: 1_500 }),
    rejectAgentRequest: ({ body: { note } }) => {
      open_.shift();
      return Object.assign(first, { status: 'rejected', decisionNote: note });
    },
  });
  const pane = screen.getByRole('region', { name: 'The open item' });
  await within(pane).findByRole('heading', { name: 'Preflight' });
  const lines = within(pane)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  for (const line of [
    /^OpenAI.*no key is saved/,
    /^Twilio.*default, saved.*not checked yet/,
    /^Settings.*sender address: not set yet; runs fail without it/,
    /^Workspace/,
    /^Credits1,500 left2 credits a run$/,
  ])
    assert.ok(
      lines.some((text) => line.test(text)),
      `${String(line)} in ${lines.join(' | ')}`,
    );
  await screen.findByRole('link', { name: 'Partners 17' });
  assert.equal(pane.querySelector('blockquote')?.textContent, 'Most people ask the same five things.');
  await within(pane).findByRole('heading', { name: 'History' });
  await user.keyboard('r');
  await fill(/^Note/, 'The website answers these already.', await dialog(/^Reject/));
  await press('Reject', await dialog(/^Reject/));
  await noDialog();
  await within(pane).findByRole('heading', { level: 2, name: 'Lead intake' });
  await holds(() => assert.equal(new URLSearchParams(location.search).get('item'), `agent_request.${second.id}`));
  assert.deepEqual(service.sent('rejectAgentRequest'), [{ note: 'The website answers these already.' }]);
});

test('an installed agent that lacks a required setting is ready neither to the agency nor to its client', async () => {
  const lacking = request({
    kind: 'template',
    templateName: 'lead-follow-up',
    title: 'Lead follow-up',
    status: 'fulfilled',
    workflowId: idOf(50),
    missingSettings: [{ key: 'fromEmail', label: 'Sender address', fromProfile: null }],
  });
  const ofProfile = request({
    id: idOf(42),
    title: 'Review request',
    status: 'fulfilled',
    workflowId: idOf(51),
    missingSettings: [{ key: 'reviewUrl', label: 'Review link', fromProfile: 'reviewUrl' }],
  });
  const whole = request({ id: idOf(41), title: 'Lead intake', status: 'fulfilled', workflowId: idOf(52), missingSettings: [] });
  const deleted = request({ id: idOf(43), title: 'Text back', status: 'fulfilled', workflowId: null, missingSettings: [] });
  const answers: Answers = { listAgentRequests: listed(() => [lacking, ofProfile, whole, deleted]) };
  await open('owner', '/dashboard/requests', answers);
  await reads(await card(/Lead follow-up/, column('Done')), /Installed, needs sender address/);
  await reads(await card(/Lead intake/, column('Done')), /Installed(?!,)/);
  await reads(await card(/Text back/, column('Done')), /Removed since/);
  await open('client', '/client/suggestions', answers);
  await see(/Being set up: Northwind Digital still has to add something$/);
  await see(/Being set up: Northwind Digital or you still have to add, under Business: Review link$/);
  await see(/It is ready\. Find it under Agents\./);
  await see('It has since been removed.');
});

test('the answer about a key names its service, and stays with its request', async () => {
  const waiting: Partial<Request> = { status: 'submitted', missingConnections: ['twilio', 'resend'] };
  let first = request({ title: 'Text the late', ...waiting });
  const other = request({ id: idOf(41), title: 'Mail the early', ...waiting });
  const failed = { ok: false, at: new Date().toISOString(), message: 'It answered 401.' };
  await open('owner', '/dashboard/requests', {
    listAgentRequests: listed(() => [first, other]),
    putCredential: ({ params: { provider } }) => {
      first = { ...first, missingConnections: ['resend'] };
      return row('listCredentials', {
        provider: provider === 'resend' ? 'resend' : 'twilio',
        sourceMode: 'byok',
        configured: true,
        lastCheck: failed,
      });
    },
  });
  await user.click(await card(/Text the late/, column('Submitted')));
  const drawer = await dialog('Text the late');
  await fill('Account SID', 'AC0123456789', drawer);
  await fill('Auth token', 'of_someone_else', drawer);
  await press('Save and test', drawer);
  await see('Resend key is missing', drawer);
  await reads(drawer, /The Twilio key is saved, but does not work\. It answered 401\./);
  await user.click(await card(/Mail the early/, column('Submitted')));
  const next = await dialog('Mail the early');
  await see('Twilio key is missing', next);
  assert.doesNotMatch(next.textContent, /does not work/);
});

test('a refused key says so when it was the last that was missing, and leads to the form that replaces it', async () => {
  for (const ok of [false, true]) {
    let asked = request({ title: 'Text the late', status: 'provisioning_failed', missingConnections: ['twilio'] });
    await open('owner', '/dashboard/requests', {
      listAgentRequests: listed(() => [asked]),
      putCredential: () => {
        asked = { ...asked, status: 'fulfilled', workflowId: idOf(50), missingConnections: [] };
        return row('listCredentials', {
          provider: 'twilio',
          sourceMode: 'byok',
          configured: true,
          lastCheck: { ok, at: new Date().toISOString(), message: ok ? 'Twilio accepted the key.' : 'It answered 401.' },
        });
      },
    });
    await user.click(await card(/Text the late/, column('Needs action')));
    const drawer = await dialog('Text the late');
    await fill('Account SID', 'AC0123456789', drawer);
    await fill('Auth token', 'of_someone_else', drawer);
    await press('Save and test', drawer);
    await card(/Text the late/, column('Done'));
    await reads(drawer, ok ? /Twilio accepted the key\./ : /The Twilio key is saved, but does not work\. It answered 401\./);
    const replace = within(drawer).queryByRole('link', { name: 'Replace the Twilio key' });
    assert.equal(replace?.getAttribute('href'), ok ? undefined : '/dashboard/integrations?service=twilio');
  }
});
