import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import type { SubscriptionStatus } from '@partner-portal/contract/vocabulary.ts';
import { button, open, screen, see, sessionOf } from '../../testing/portal.ts';
import { sample } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

test('an archived client reads that this is final and whom to ask, without a request that would fail, in each language', async () => {
  const { user: me } = sessionOf('client');
  const suspension = sample(suspensionRecord, { scope: 'client', cause: 'archived' });
  await open('client', '/client/activity', {
    getMe: reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: me.client, features: me.features }),
  });
  await screen.findByRole('heading', { level: 1, name: 'Oak Street Dental is archived' });
  await see('An archived account cannot be made active again. Ask Northwind Digital if you have questions.');
  await see(/^Your agents have stopped for good\./);
  await see(/all data of your business: people, agents and their settings, activity and files\./);
  assert.equal(screen.queryByRole('button', { name: 'Request reactivation' }), null);
  for (const [locale, effect, whom] of [
    ['de-DE', /^Ihre Agenten sind endgültig gestoppt\./, /wenden Sie sich an Northwind Digital\.$/],
    ['es-ES', /^Sus agentes se han detenido definitivamente\./, /diríjase a Northwind Digital\.$/],
  ] as const) {
    await open(
      'client',
      '/client/activity',
      { getMe: reply('getMe', { user: { ...me, locale, suspension }, partner: me.partner, client: me.client, features: me.features }) },
      {},
      { locale },
    );
    await see(effect);
    await see(whom);
  }
});

test('the page of a suspended account is in the language of its client on a phone', async () => {
  const { user: me } = sessionOf('client');
  const suspension = sample(suspensionRecord, {
    scope: 'client',
    cause: 'deletion_approved',
    reason: 'Der Laden schließt',
    purgeAfter: '2026-07-01T09:00:00.000Z',
  });
  const german = { ...me, locale: 'de-DE', suspension };
  await open(
    'client',
    '/client/activity',
    {
      getMe: reply('getMe', { user: german, partner: me.partner, client: me.client, features: me.features }),
    },
    {},
    { locale: 'de-DE' },
  );
  await screen.findByRole('heading', { level: 1, name: 'Das Konto von Oak Street Dental wird gelöscht' });
  await button('Reaktivierung anfragen');
  await button('Daten exportieren');
  await screen.findByRole('link', { name: 'Profil und Sicherheit' });
  assert.doesNotMatch(screen.getByRole('main').textContent, /suspended|removed|deleted/);
});

test('a link of a mail to the account of a suspended client opens the page with its export and the way back; its profile stays open', async () => {
  const { user: me } = sessionOf('client');
  const suspension = sample(suspensionRecord, { scope: 'client', cause: 'deletion_approved', purgeAfter: '2026-07-01T09:00:00.000Z' });
  const suspended = reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: me.client, features: me.features });
  await open('client', '/client/settings?part=business', { getMe: suspended }, {}, { suspension });
  await screen.findByRole('heading', { level: 1, name: 'Oak Street Dental will be deleted' });
  await button('Export data');
  await open('client', '/client/settings', { getMe: suspended }, {}, { suspension });
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
});

test('an agency that billing suspended is led to what makes it active again: a plan once its trial or subscription ended, else its invoices', async () => {
  const { user: me } = sessionOf('owner');
  const suspension = sample(suspensionRecord, { scope: 'partner', cause: 'billing' });
  const getMe = reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: me.client, features: me.features });
  const show = async (status: SubscriptionStatus, more: Answers = {}) => {
    const getBilling = reply('getBilling');
    getBilling.subscription.status = status;
    await open('owner', '/dashboard', { getMe, getBilling, ...more }, {}, { suspension });
  };
  for (const status of ['expired', 'cancelled'] as const) {
    await show(status);
    await see('Your account is active again as soon as we confirm your plan.');
    assert.equal((await screen.findByRole('link', { name: 'Compare plans' })).getAttribute('href'), '/dashboard/billing/plan');
    assert.equal(screen.queryByRole('link', { name: 'See invoices' }), null);
  }
  await show('expired', { listPlanRequests: { data: [row('listPlanRequests', { status: 'pending' })], nextCursor: null } });
  await screen.findByRole('link', { name: 'See your request' });
  await show('suspended');
  await screen.findByRole('link', { name: 'See invoices' });
  assert.equal(screen.queryByRole('link', { name: 'Compare plans' }), null);
});
