import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, reads, screen, see, settled, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const items = () => screen.getByRole('region', { name: 'Items' });
const pane = () => screen.getByRole('region', { name: 'The open item' });

test('an application whose confirmation waits says so, and opening it sends the confirmation', async () => {
  const application = (n: number) =>
    reply('getPlanRequest', {
      id: idOf(40 + n),
      kind: 'signup',
      status: 'pending',
      mailWaits: true,
      nameResembles: 'PayPal',
      applicant: { email: `ana-${n}@pay.example`, fullName: 'Ana Ortiz', companyName: `Pay-Pal ${n}`, website: null, country: null },
    });
  const all = [application(1), application(2)];
  const service = await open('staff', '/admin', {
    getWorkQueue: all.map(({ id, applicant }) =>
      row('getWorkQueue', { kind: 'application', itemId: id, partnerName: applicant.companyName }),
    ),
    getPlanRequest: ({ params }) => all.find(({ id }) => id === params.id) ?? assert.fail(params.id),
    sendApplicationMail: ({ params }) =>
      Object.assign(all.find(({ id }) => id === params.id) ?? assert.fail(params.id), { mailWaits: false }),
  });
  // The first is shown because it is the first: no one has opened it.
  await reads(pane(), /The confirmation to ana-1@pay\.example waits\./);
  await settled();
  assert.ok(!service.calls.some(({ name }) => name === 'sendApplicationMail'));
  await user.click(await within(items()).findByRole('link', { name: /Pay-Pal 2/ }));
  await see('The confirmation to ana-2@pay.example waited, and is sent now.');
  await see('Resembles PayPal. Approving the application approves the name.');
  const sent = service.calls.filter(({ name }) => name === 'sendApplicationMail');
  assert.deepEqual(sent.map(({ params }) => params), [{ id: idOf(42) }]); // prettier-ignore
});
