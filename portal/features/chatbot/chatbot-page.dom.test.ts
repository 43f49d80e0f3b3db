import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, field, fill, gone, holds, open, press, reads, screen, see, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { changed, reply, row, WITHOUT_MAIL } from '../../testing/service.ts';

const CLIENT = idOf(2);

test('an agency whose plan has no chatbot asks for one that has', async () => {
  await open('owner', '/dashboard/settings/chatbot', {}, { chatbot: false });
  await see('Your plan does not include chatbots');
  await user.click(await screen.findByRole('link', { name: 'Request a plan' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/billing/plan'));
});

test('the budget of an agency whose plan ends before new credits come lasts until then', async () => {
  const { period, ...others } = reply('getChatBudgets');
  const [endsAt, resetsAt] = ['2026-12-05T09:00:00.000Z', '2026-12-31T09:00:00.000Z'];
  const budgets = { ...others, period: { ...period, resetsAt, stoppedBy: 'share' as const } };
  await open('owner', '/dashboard/settings/chatbot', { getQuota: reply('getQuota', { resetsAt, endsAt }), getChatBudgets: budgets });
  await see(/^All chatbots, until (?:5 Dec|Dec 5)/);
  await reads(screen.getByRole('region', { name: 'Budget' }), /by a person until (?:5 Dec|Dec 5)/);
});

test('the budget of an agency whose plan goes on lasts until new credits come', async () => {
  const { period, ...others } = reply('getChatBudgets');
  // In Chicago it is still the day before, which no page of billing names.
  const resetsAt = '2026-12-31T02:27:00.000Z';
  const budgets = { ...others, period: { ...period, resetsAt } };
  await open('owner', '/dashboard/settings/chatbot', { getQuota: reply('getQuota', { resetsAt, endsAt: null }), getChatBudgets: budgets });
  await see(/All chatbots this month, until (?:31 Dec|Dec 31)/);
});

/** A chatbot that was never saved, as its defaults are read, with the calls that its page makes. */
function unsaved(of: Parameters<typeof reply<'getChatbot'>>[1] = {}) {
  let current = reply('getChatbot', {
    clientId: CLIENT,
    id: null,
    snippet: null,
    name: 'Olive',
    greeting: 'Hello!',
    privacyUrl: '',
    handoffEmail: '',
    reminderMinutes: 30,
    ...of,
  });
  return {
    getClient: reply('getClient', { id: CLIENT, name: 'Calm Cafe' }),
    getChatbot: () => current,
    changeChatbot: ({ body }: { body: object }) =>
      (current = changed({ ...current, id: idOf(5), snippet: '<script async src="x"></script>' }, body)),
  };
}

const step = (name: string): HTMLDetailsElement => {
  const found = screen.getByRole('heading', { level: 2, name }).closest('details');
  assert.ok(found, name);
  return found;
};

test('a chatbot opens on the page of its client, leaves the choice of clients alone, and is saved as it is shown', async () => {
  const service = await open('owner', '/dashboard/settings/chatbot', {
    ...unsaved(),
    listChatbots: { data: [row('listChatbots', { clientId: CLIENT, clientName: 'Calm Cafe', id: null })], nextCursor: null },
  });
  await user.click(await screen.findByRole('link', { name: 'Calm Cafe' }));
  await holds(() => assert.equal(location.pathname + location.search, `/dashboard/clients/${CLIENT}?tab=chatbot`));
  // Never saved: it does not claim to be, and what is shown can be saved without a change.
  await see(/The script tag appears here once the settings are saved/);
  await reads(screen.getByRole('main'), /settings as typed, knowledge as saved/);
  assert.equal(screen.queryByText('Everything is saved.'), null);
  await press('Save and show the tag');
  await see('Everything is saved.');
  await gone(/The script tag appears here/);
  assert.equal(service.sent('changeChatbot').length, 1);
  // The script tag stands before the settings.
  const tag = screen.getByText(/<script async/);
  assert.ok(tag.compareDocumentPosition(screen.getByRole('heading', { name: 'Greeting' })) & Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a chatbot of a suspended client is not called on', async () => {
  const own = unsaved({ id: idOf(5), isActive: true, snippet: '<script async>' });
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, { ...own, getClient: { ...own.getClient, status: 'suspended' } });
  await see('Client suspended: visitors do not see it');
  await see('Visitors find no chatbot there while the client is suspended.');
  const item = row('listChatbots', { clientId: CLIENT, clientName: 'Calm Cafe', clientStatus: 'suspended', id: idOf(5), isActive: true });
  await open('owner', '/dashboard/settings/chatbot', { listChatbots: { data: [item], nextCursor: null } });
  assert.ok((await screen.findAllByText('Client suspended')).length > 0);
});

test('the four steps of a chatbot say what they hold, and open by what it lacks and by what a save refuses', async () => {
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, {
    ...unsaved({ id: idOf(5), handoffEmail: 'ada@oak.example' }),
    listKnowledge: [row('listKnowledge', { passages: 3 })],
    ...WITHOUT_MAIL,
  });
  await see('Olive: Hello!');
  await see(/^3 passages/);
  await see('Runs no agent. Hand-overs go to ada@oak.example');
  await see(/^E-mail is not set up here, so none is sent\. Your team and the client’s users are notified in any case\.$/);
  assert.deepEqual(
    ['Greeting', 'Knowledge', 'Agents and people', 'Websites'].map((name) => step(name).open),
    [false, false, false, true],
  );
  await user.type(await field('Allowed sites'), 'https://www.calm.example/menu{Enter}');
  await see('www.calm.example');
  await fill('Name', '');
  await press('Save changes');
  await holds(() => assert.equal(document.activeElement?.getAttribute('data-field'), 'name'));
  assert.ok(step('Greeting').open);
});

test('a preview begins with questions that the business profile answers', async () => {
  const own = unsaved();
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, {
    ...own,
    getClient: { ...own.getClient, businessProfile: { ...own.getClient.businessProfile, faqText: 'Is there parking?\nBehind the house.' } },
    previewChatbot: reply('previewChatbot', { reply: 'Behind the house.' }),
  });
  await see('Hello!', screen.getByRole('log'));
  assert.equal(screen.queryByRole('button', { name: 'When are you open?' }), null);
  await button('Can I talk to a person?');
  await press('Is there parking?');
  await see('Behind the house.', screen.getByRole('log'));
});

test('a mistyped website is named at its field and the unsaved settings stay; one that was stored before is shown as it is', async () => {
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, {
    ...unsaved({ id: idOf(5), handoffEmail: 'ada@oak.example' }),
    listKnowledge: [row('listKnowledge', { passages: 3 })],
    ...WITHOUT_MAIL,
  });
  await see('Olive: Hello!');
  const name = await fill('Name', 'Nora');
  await user.type(await field('Allowed sites'), 'www.calm.example:80800{Enter}');
  await see('www.calm.example:80800 is not a web address such as https://www.example.com.');
  assert.equal(name.value, 'Nora');
  await user.clear(await field('Allowed sites'));
  await user.type(await field('Allowed sites'), 'www.calm.example:8080{Enter}');
  await see('www.calm.example:8080');
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, {
    ...unsaved({ id: idOf(5), allowedOrigins: ['https://www.calm.example:80800'] }),
    listKnowledge: [row('listKnowledge', { passages: 3 })],
  });
  await see('www.calm.example:80800');
});

test('a chatbot that only knows how to reach the business says so, and names what the profile holds', async () => {
  const own = unsaved({ id: idOf(5) });
  const profile = { hours: '', address: '', bookingUrl: 'https://calm.example/book', reviewUrl: '', faqText: '' };
  const client = { ...own.getClient, phone: null, website: null, contactEmail: 'ada@oak.example', businessProfile: profile };
  const listKnowledge = [row('listKnowledge', { kind: 'profile', passages: 2 })];
  const path = `/dashboard/clients/${CLIENT}?tab=chatbot`;
  await open('owner', path, { ...own, getClient: client, listKnowledge });
  const needs = await screen.findByRole('list', { name: 'What it needs' });
  await reads(needs, /It only knows how to reach the business\./);
  await see('2 passages from contact details and booking link');
  await button('How can I reach you?');
  await open('owner', path, { ...own, getClient: { ...client, businessProfile: { ...profile, hours: 'Mon 9 to 5' } }, listKnowledge });
  await reads(await screen.findByRole('list', { name: 'What it needs' }), /Knowledge to answer from/);
  await see('2 passages from opening hours, contact details and booking link');
  await button('When are you open?');
});

test('a chatbot has no more credits a day than all of them have, until midnight in UTC', async () => {
  const { period, today, ...others } = reply('getChatBudgets');
  const one = { chatbotId: idOf(5), clientId: CLIENT, clientName: 'Calm Cafe', name: 'Olive', used: 0, inFlight: 0, isReached: false };
  const budgets = { ...others, chatbotCredits: 300, period: { ...period, used: 0, limit: 200 }, today: { ...today, chatbots: [one] } };
  await open('owner', `/dashboard/clients/${CLIENT}?tab=chatbot`, { ...unsaved({ id: idOf(5) }), getChatBudgets: budgets });
  await reads(await screen.findByRole('region', { name: 'Budget' }), /Today, until \d\d:\d\d \(midnight UTC\)0 of 200 credits/);
});
