import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  choose,
  close,
  fill,
  gone,
  holds,
  isInactive,
  isInvalid,
  open,
  press,
  screen,
  see,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

const RULES = reply('getAlertRules', { usageThresholds: [50, 80], failureStreak: 3, silentDays: 7 });
const TITLE = 'Anthropic refused the key';

test('a moderator sees the alert and its rules in words, and changes only their own notifications', async () => {
  const alert = row('listAlerts', {
    id: idOf(80),
    rule: 'credential_invalid',
    status: 'open',
    subject: { type: 'credential', id: idOf(60), label: 'Anthropic' },
  });
  let choice: { inApp: boolean; email: 'now' | 'daily' | 'off' } = { inApp: true, email: 'now' };
  const saved = () => ({
    member_removed: { ...choice, emailFixed: false },
    security: { inApp: true, email: 'now' as const, emailFixed: true },
  });
  const answers: Answers = {
    listAlerts: { data: [alert], nextCursor: null },
    getAlertRules: RULES,
    getNotificationPreferences: saved,
    putNotificationPreferences: ({ body }) => {
      choice = body.member_removed ?? choice;
      return saved();
    },
  };
  await open('moderator', '/dashboard/alerts', answers);
  assert.match((await screen.findByRole('list', { name: 'Open alerts' })).textContent, new RegExp(TITLE));
  assert.ok(isInactive(await button('Mute')));
  await open('moderator', '/dashboard/settings/alerts', answers);
  const rules = await screen.findByRole('list', { name: 'Alert rules' });
  assert.deepEqual(
    [...rules.children].map(({ textContent }) => textContent),
    [
      'An alert opens when 50% and 80% of the month’s credits are used.',
      'An alert opens when an agent fails 3 times in a row.',
      'An alert opens when an agent that has run before has no run for 7 days.',
      'Alert e-mails go to all admins. Everyone else sees alerts in the bell.',
    ],
  );
  assert.ok(isInactive(await button('Change')));
  const listed = (way: string) => screen.getByText(way).nextElementSibling?.textContent;
  await open('moderator', '/dashboard/settings/notifications', answers);
  await see('Bell and e-mail at once');
  await see(/^Alerts are e-mailed to those chosen under Settings › Alerts/);
  assert.equal(listed('Bell and e-mail at once'), 'Someone is removed. Your password or second factor changes.');
  await press('Change');
  await choose(/^Someone is removed/, 'Daily e-mail only');
  await holds(() => assert.deepEqual(choice, { inApp: false, email: 'daily' }));
  await press('Done');
  await holds(() => assert.equal(listed('Daily e-mail only'), 'Someone is removed.'));
  await close();
  await open('moderator', '/dashboard/settings/notifications', answers);
  await see('Daily e-mail only');
  assert.equal(listed('Bell and e-mail at once'), 'Your password or second factor changes.');
});

test('an admin moves a threshold and is refused one that is none', async () => {
  const service = await open('owner', '/dashboard/settings/alerts', {
    getAlertRules: RULES,
    putAlertRules: ({ body }) => ({ ...RULES, ...body }),
  });
  await press('Change');
  const thresholds = await fill('Credits used, in percent', '50, 120');
  await press('Save changes');
  await holds(() => assert.ok(isInvalid(thresholds)));
  assert.deepEqual(service.sent('putAlertRules'), []);
  await fill('Credits used, in percent', '60, 90');
  await press('Save changes');
  await see('Alert rules saved.');
  assert.deepEqual(service.sent('putAlertRules').map(({ usageThresholds }) => usageThresholds), [[60, 90]]); // prettier-ignore
  await see('An alert opens when 60% and 90% of the month’s credits are used.');
});

test('settings of the user and of the agency are apart, each with its own tabs', async () => {
  await open('owner', '/dashboard/settings/alerts', { getAlertRules: RULES });
  const tabs = (name: string) => within(screen.getByRole('navigation', { name })).getAllByRole('link').map(({ textContent }) => textContent); // prettier-ignore
  await see('When alerts open');
  assert.ok(!tabs('Settings of the agency').includes('Profile'));
  await user.click(within(screen.getByRole('navigation', { name: 'Whose settings' })).getByRole('link', { name: 'You' }));
  await holds(() => assert.deepEqual(tabs('Your settings'), ['Profile', 'Security', 'Notifications']));
});

test('the settings of a client are two pages: what is theirs, and what is of the business', async () => {
  await open('client', '/client/settings', {});
  await see('Two-step login');
  assert.equal(screen.queryByText(/^Delete/), null);
  await user.click(within(screen.getByRole('navigation', { name: 'Settings' })).getByRole('link', { name: 'Business' }));
  await holds(() => assert.equal(location.search, '?part=business'));
  await gone('Two-step login');
});
