import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, fill, holds, open, press, screen, see, sessionOf, settled, user } from '../testing/portal.ts';
import { idOf } from '../testing/sample.ts';
import { type Answers, reply, row, WITHOUT_MAIL } from '../testing/service.ts';

const OLIVE = row('listUsers', {
  id: idOf(30),
  fullName: 'Olive Owner',
  role: 'PARTNER',
  partnerRole: 'moderator',
  partnerName: 'Oak Agency',
  mfaEnabled: true,
  status: 'active',
});
const users: Answers = { listUsers: { data: [OLIVE], nextCursor: null }, resetUserMfa: undefined, makeAdmin: undefined };
const MAILED = /by e-mail|mailed|an e-mail\b|on (its|their) way|we e-mail/i;

/** Waits until no dialog, toast or page says that an e-mail leaves. */
const notMailed = (): Promise<void> => holds(() => assert.doesNotMatch(document.body.textContent, MAILED));

for (const [item, title, seen] of [
  ['Reset MFA', /^Reset MFA of/, /MFA reset for Olive Owner\. E-mail is not set up, so notify them yourself\./],
  ['Make admin', /^Make Olive/, /Olive Owner is an admin of Oak Agency\. E-mail is not set up, so notify its admins yourself\./],
] as const)
  test(`without a mail server, staff who “${item}” read whom to notify themselves`, async () => {
    await open('staff', '/admin/users', { ...users, ...WITHOUT_MAIL });
    await settled();
    await press('More for Olive Owner');
    await user.click(await screen.findByRole('menuitem', { name: item }));
    const asked = await dialog(title);
    await fill(/^Reason/, 'Lost phone', asked);
    await notMailed();
    await press(item, asked);
    await holds(() => assert.match(document.querySelector('.toasts')?.textContent ?? '', seen));
    await notMailed();
  });

test('with a mail server, staff read who was notified by e-mail', async () => {
  await open('staff', '/admin/users', users);
  await press('More for Olive Owner');
  await user.click(await screen.findByRole('menuitem', { name: 'Reset MFA' }));
  const asked = await dialog(/^Reset MFA of/);
  await fill(/^Reason/, 'Lost phone', asked);
  await press('Reset MFA', asked);
  await see('MFA reset for Olive Owner. They were notified by e-mail.');
});

test('without a mail server, staff who release single sign-on or reject an application read what to pass on themselves', async () => {
  const partner = reply('getPartner', { id: idOf(1), name: 'Oak Agency', ssoEnforced: true });
  await open('staff', `/admin/partners/${idOf(1)}`, { getPartner: partner, releaseSso: undefined, ...WITHOUT_MAIL });
  await press('Release SSO enforcement');
  const releasing = await dialog(/^Release SSO/);
  await fill(/^Reason/, 'Their provider is down', releasing);
  await notMailed();
  await press('Release enforcement', releasing);
  await see(/can log in with passwords again\. E-mail is not set up, so notify its admins yourself\.$/);

  const request = reply('getPlanRequest', { id: idOf(5), status: 'pending', partnerId: null });
  await open('staff', '/admin', {
    getWorkQueue: [row('getWorkQueue', { kind: 'plan_request', itemId: request.id, partnerId: null })],
    getPlanRequest: request,
    rejectPlanRequest: { ...request, status: 'rejected' },
    ...WITHOUT_MAIL,
  });
  await press(/^Reject/);
  const rejecting = await dialog(/^Reject/);
  await fill(/^Note/, 'Not now.', rejecting);
  await notMailed();
  await press('Reject', rejecting);
  await see(/^The request of .+ is rejected\. E-mail is not set up, so pass your note on yourself\.$/);
  await notMailed();
});

test('without a mail server, who sends a report by hand is asked to send its PDF', async () => {
  const client = { id: idOf(2), name: 'Oak Street Dental' };
  const person = row('listReportRecipients', { userId: idOf(40), fullName: 'Ada Oak', isSubscribed: true, lastSentMonth: '2026-05' });
  const other = row('listReportRecipients', { userId: idOf(41), fullName: 'Bea Oak', isSubscribed: false, hasOptedOut: false });
  const values = reply('getResultValues', { currency: 'USD' });
  await open('owner', `/dashboard/clients/${client.id}?tab=report`, {
    getResultValues: values,
    getClient: reply('getClient', { ...client, status: 'active' }),
    getClientReport: reply('getClientReport', {
      client: { ...reply('getClientReport').client, ...client },
      month: '2026-05',
      isFinished: true,
    }),
    listReportRecipients: [person, other],
    putReportRecipient: { ...other, isSubscribed: true },
    sendClientReport: { month: '2026-05', queued: 1, skipped: [] },
    ...WITHOUT_MAIL,
  });
  await press('Preview and send');
  const asked = await dialog(/^Send the report/);
  await see('E-mail is not set up, so send the PDF yourself.', asked);
  assert.doesNotMatch(asked.textContent, /will get it again/);
  await press('Send to 1 person', asked);
  await see('No e-mail was sent. E-mail is not set up, so send the PDF yourself.');
  await see('E-mail is not set up here, so none is sent.');
  await user.click(await screen.findByRole('switch', { name: 'Bea Oak: report by e-mail' }));
  await see('Bea Oak gets the report once e-mail is set up.');
});

test('without a mail server, an agency is promised no e-mail of an alert', async () => {
  await open('owner', '/dashboard/settings/alerts', { getAlertRules: reply('getAlertRules', { recipients: [] }), ...WITHOUT_MAIL });
  await see('E-mail is not set up here, so none is sent. Everyone sees alerts in the bell.');
  await press('Change');
  await see('E-mail is not set up here, so none is sent.');
  await notMailed();
});

const { id, fullName, email } = sessionOf('owner').user;

test('without a mail server, an agency reads of its deletion, its exports and its notifications what reaches it in the portal only', async () => {
  const waits = row('listDeletionRequests', {
    scope: 'partner',
    accountName: 'Northwind Digital',
    status: 'pending',
    requestedBy: { id, name: fullName, email },
  });
  await open('owner', '/dashboard/settings/account', {
    listDeletionRequests: { data: [waits], nextCursor: null },
    createExport: reply('createExport'),
    ...WITHOUT_MAIL,
  });
  await see(/Nothing stops until our team has decided\.$/);
  await press('Export data');
  await see(/^Export started/);
  await see('You are notified when it is ready.');
  await notMailed();

  await open('owner', '/dashboard/settings/notifications', {
    getNotificationPreferences: { security: { inApp: true, email: 'now', emailFixed: true } },
    sendSampleNotification: undefined,
    ...WITHOUT_MAIL,
  });
  await see('E-mail is not set up here, so none is sent.');
  await press('Send me a sample');
  await see('A sample is in the bell.');
  await press('Change');
  await button(/^Your password or second factor changes/);
  assert.doesNotMatch(document.body.textContent, /Always e-mailed/);
});

test('a moderator is promised no mail about requests of the account, which only admins get', async () => {
  const waits = row('listDeletionRequests', { scope: 'partner', accountName: 'Northwind Digital', status: 'pending' });
  for (const [person, words] of [
    ['moderator', /Nothing stops until our team has decided\.$/],
    ['owner', /Nothing stops until our team has decided\. We e-mail you then\./],
  ] as const) {
    await open(person, '/dashboard/settings/account', { listDeletionRequests: { data: [waits], nextCursor: null } });
    await see(words);
  }
});
