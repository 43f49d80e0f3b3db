import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figureRange, startsBookings } from './figures.ts';

describe('the days of figures', () => {
  it('are the last thirty when none are named', () => {
    assert.deepEqual(figureRange({}, '2026-03-15'), { from: '2026-02-14', to: '2026-03-15' });
    assert.deepEqual(figureRange({ to: '2026-01-30' }, '2026-03-15'), { from: '2026-01-01', to: '2026-01-30' });
  });

  it('are at most 366, both ends included', () => {
    assert.deepEqual(figureRange({ from: '2024-01-01', to: '2024-12-31' }, '2026-03-15'), { from: '2024-01-01', to: '2024-12-31' });
    assert.ok('problem' in figureRange({ from: '2024-01-01', to: '2025-01-01' }, '2026-03-15'));
  });

  it('end no earlier than they begin', () => {
    assert.ok('problem' in figureRange({ from: '2026-03-02', to: '2026-03-01' }, '2026-03-15'));
    assert.deepEqual(figureRange({ from: '2026-03-01', to: '2026-03-01' }, '2026-03-15'), { from: '2026-03-01', to: '2026-03-01' });
  });
});

describe('an agent that starts bookings', () => {
  it('uses a calendar or handles appointments', () => {
    assert.equal(startsBookings({ category: 'leads', requiredConnections: ['twilio', 'calcom'] }), true);
    assert.equal(startsBookings({ category: 'appointments', requiredConnections: ['twilio'] }), true);
    assert.equal(startsBookings({ category: 'calls', requiredConnections: ['twilio'] }), false);
  });
});
