import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALERT_RULES, ALERT_STATUSES, ALERT_SUBJECTS } from '@partner-portal/contract/vocabulary.ts';
import { describeAlert, nextAlertStatus, alertPath, alertTitle } from './alert.ts';

describe('an alert', () => {
  it('is open, then acknowledged, then resolved, and may skip the middle; never backwards', () => {
    const moves = (['acknowledge', 'resolve'] as const).flatMap((move) =>
      ALERT_STATUSES.map((from) => [move, from, nextAlertStatus(move, from)]),
    );
    assert.deepEqual(moves, [
      ['acknowledge', 'open', 'acknowledged'],
      ['acknowledge', 'acknowledged', null],
      ['acknowledge', 'resolved', null],
      ['resolve', 'open', 'resolved'],
      ['resolve', 'acknowledged', 'resolved'],
      ['resolve', 'resolved', null],
    ]);
  });

  it('has a headline, a sentence and a page for each rule and subject', () => {
    for (const rule of ALERT_RULES) {
      assert.ok(alertTitle(rule, 'Text back').length > 5);
      assert.match(describeAlert(rule, 'Text back', { failures: 3, days: 8, used: 8, limit: 10, threshold: 80 }).message, /\.$/);
    }
    // Alerts of the service itself are for staff.
    for (const type of ALERT_SUBJECTS) assert.match(alertPath({ type, id: 'x' }), type === 'service' ? /^\/admin\// : /^\/dashboard\//);
  });

  it('weighs usage by what is left: half is info, four fifths a warning, nothing left is critical', () => {
    const severity = (threshold: number, used: number) => describeAlert('usage_threshold', '', { threshold, used, limit: 100 }).severity;
    assert.deepEqual(
      [severity(50, 50), severity(79, 79), severity(80, 80), severity(100, 100), severity(50, 104)],
      ['info', 'info', 'warning', 'critical', 'critical'],
    );
  });

  it('promises no end of a refusal, and nothing of an endpoint that may be paused since', () => {
    assert.equal(
      describeAlert('usage_threshold', '', { used: 100, limit: 100 }).message,
      'All credits of this period are used. New events are refused.',
    );
    assert.equal(
      describeAlert('webhook_failing', 'crm.example', { failures: 20 }).message,
      '20 deliveries in a row to crm.example failed.',
    );
  });

  it('counts one day of silence as one', () => {
    const silent = [1, 7].map((days) => describeAlert('agent_silent', 'Back', { days }).message);
    assert.deepEqual(silent, ['Back has gone quiet: no run for 1 day.', 'Back has gone quiet: no run for 7 days.']);
  });

  it('becomes urgent when a certificate has a week left, and says that an expired one still signs people in', () => {
    // The title stays while the days pass, so it has to be true of both sides of the end.
    assert.doesNotMatch(alertTitle('sso_certificate', ''), /about to|soon|expired|expires/);
    const words = (days: number) => describeAlert('sso_certificate', '', { days });
    assert.deepEqual(
      [words(30).severity, words(8).severity, words(7).severity, words(-1).severity],
      ['warning', 'warning', 'critical', 'critical'],
    );
    assert.match(words(1).message, /in 1 day\..*another one that its metadata does not list/);
    assert.match(words(-1).message, /has expired\. People still log in with it/);
  });
});
