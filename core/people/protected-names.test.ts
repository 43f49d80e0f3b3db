import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resembledName } from './protected-names.ts';

describe('a name that staff look at', () => {
  for (const [name, like] of [
    ['PayPal Security', 'PayPal'],
    ['PAYPAL', 'PayPal'],
    ['Pay Pal Support', 'PayPal'],
    ['P a y P a l', 'PayPal'],
    ['P.a.y-P_a_l', 'PayPal'],
    ['PayPaI', 'PayPal'],
    ['Paypa1 Service', 'PayPal'],
    ['P4ypal', 'PayPal'],
    ['PaypalSecurity Ltd', 'PayPal'],
    ['Paypall', 'PayPal'],
    ['РаyРаl', 'PayPal'],
    ['раураl', 'PayPal'],
    ['ＰａｙＰａｌ', 'PayPal'],
    ['𝐏𝐚𝐲𝐏𝐚𝐥', 'PayPal'],
    ['Pay\u200BPal', 'PayPal'],
    ['Páypál', 'PayPal'],
    ['Micr0soft Helpdesk', 'Microsoft'],
    ['Rnicrosoft', 'Microsoft'],
    ['Vvells Fargo', 'Wells Fargo'],
    ['Apple Support', 'Apple'],
    ['Apple', 'Apple'],
    ['AppleSupport', 'Apple'],
    ['Chase Bank', 'Chase'],
    ['DHL Paket Tracking', 'DHL'],
    ['Sparkasse Musterstadt', 'Sparkasse'],
    ['Credit Agricole', 'Crédit Agricole'],
    ['IRS Refunds', 'IRS'],
    ['Bank of America Alerts', 'Bank of America'],
  ] as const)
    it(`is "${name}"`, () => assert.equal(resembledName(name), like));
});

describe('a name that is nobody’s but its owner’s', () => {
  for (const name of [
    'Acme Agency',
    'Oak Street Dental',
    'Apple Valley Dental',
    'Chase Plumbing',
    'Visage Salon',
    'Spay Palace',
    'Wise Owl Books',
    'Square One Roofing',
    'Target Fitness',
    'Groups & Co',
    'Meta Automation',
    'Amazing Lawns',
    'Security Alarm Service',
    'Bank Street Bakery',
    'Metamorphosis Spa',
    'Pal Payments',
    'Booking.com Repairs',
    'Müller Sanitär',
    'Кафе Пушкин',
    '東京歯科',
    '',
    '...',
  ])
    it(`is "${name}"`, () => assert.equal(resembledName(name), null));
});
