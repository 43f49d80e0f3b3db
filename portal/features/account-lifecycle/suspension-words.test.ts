import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { explainSuspension, readerOf } from './suspension-words.ts';

const { t } = messagesFor('en');
const names = { agency: 'Northwind Studio', account: 'Oak Street Dental' };
const base = { scope: 'client', reason: null, since: '2026-11-12T10:00:00.000Z', purgeAfter: null, reactivationPending: false } as const;

test('a client reads who suspended it: its agency, and of a suspended agency neither reason nor cause', () => {
  assert.equal(readerOf('CLIENT', { scope: 'client' }), 'client');
  assert.equal(readerOf('CLIENT', { scope: 'partner' }), 'client_of_agency');
  assert.equal(readerOf('PARTNER', { scope: 'partner' }), 'agency');
  const own = explainSuspension(t, { ...base, cause: 'manual' }, 'client', names);
  assert.equal(own.title, 'Oak Street Dental is suspended');
  assert.match(own.lead, /^Northwind Studio suspended this account on 12 November/);
  for (const cause of ['manual', 'billing', 'policy', 'deletion_approved'] as const) {
    const { title, lead } = explainSuspension(t, { ...base, scope: 'partner', cause }, 'client_of_agency', names);
    assert.equal(title, 'Northwind Studio is paused');
    assert.doesNotMatch(lead, /billing|\buse\b|deletion|\bwe\b/i);
  }
});

test('a deletion names the day from which everything is removed', (context) => {
  // A day of another year is named with its year.
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-22T10:00:00.000Z') });
  const suspension = { ...base, cause: 'deletion_approved', purgeAfter: '2026-12-22T10:00:00.000Z' } as const;
  const { title, lead } = explainSuspension(t, suspension, 'client', names);
  assert.equal(title, 'Oak Street Dental will be deleted');
  assert.match(lead, /removed on 22 December; until then/);
  const asked = explainSuspension(t, { ...suspension, reactivationPending: true }, 'client', names);
  assert.match(asked.lead, /removal, due on 22 December, waits until the request to keep it is decided/);
  const ofAgency = explainSuspension(t, { ...suspension, scope: 'partner' }, 'client_of_agency', names);
  assert.match(ofAgency.lead, /your data, will be deleted on 22 December/);
});

test('a client reads it in their language', () => {
  const german = explainSuspension(messagesFor('de').t, { ...base, cause: 'billing' }, 'client', names);
  assert.match(german.lead, /^Northwind Studio hat dieses Konto am .+ wegen der Abrechnung gesperrt\. Nichts wurde gelöscht\.$/);
  const spanish = explainSuspension(messagesFor('es').t, { ...base, scope: 'partner', cause: 'manual' }, 'client_of_agency', names);
  assert.match(spanish.lead, /^Sus agentes están en pausa desde el .+ No se ha eliminado nada suyo\.$/);
});

test('an archived client reads that it is archived, and no day, which may be that of another change', () => {
  const { title, lead } = explainSuspension(t, { ...base, cause: 'archived' }, 'client', names);
  assert.equal(title, 'Oak Street Dental is archived');
  assert.equal(lead, 'Northwind Studio archived this account. Nothing was deleted.');
});
