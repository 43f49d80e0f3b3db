import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import { fill, gone, holds, press, reads, screen, see, user } from '../testing/portal.ts';
import { idOf, sample } from '../testing/sample.ts';
import { type Answers, Refused, Service } from '../testing/service.ts';

const [{ createElement }, { renderToStaticMarkup }, { LandingPage }, { startLanding }] = await Promise.all([
  import('react'),
  import('react-dom/server'),
  import('./landing-page.tsx'),
  import('./start.ts'),
]);

const page = document.createElement('div');
afterEach(() => page.remove());

/** Shows the page as the build renders it, with its script. */
function open(answers: Answers): Service {
  const service = new Service();
  Object.assign(service.answers, answers);
  Object.assign(globalThis, { fetch: service.fetch });
  page.innerHTML = renderToStaticMarkup(createElement(LandingPage));
  document.body.append(page);
  startLanding();
  return service;
}

const plan = (given: object) => sample(planRecord, { currency: 'USD', isPublic: true, isActive: true, ...given });
const TRIAL = plan({ id: idOf(21), name: 'Trial', isTrial: true, trialDays: 14 });
const GROWTH = plan({ id: idOf(22), name: 'Growth', isTrial: false, monthlyPriceMinor: 29_900 });
const linkTo = async (name: string): Promise<string | null> => (await screen.findByRole('link', { name })).getAttribute('href');

test('plans that do not load leave a calm page, on which one can apply and load them again', async () => {
  let fails = true;
  open({
    listPlans: () => {
      if (fails) throw new Refused('internal_error');
      return [TRIAL, GROWTH];
    },
  });
  await see(/We could not load the plans\./);
  assert.equal((await screen.findAllByRole('link', { name: 'Apply for access' }))[0]?.getAttribute('href'), '/signup');
  fails = false;
  await press('Load the plans again');
  await screen.findByRole('heading', { name: 'Growth' });
  await gone(/We could not load the plans\./);
});

test('each plan shows its price and leads to an application for it; a trial is applied for too', async () => {
  open({ listPlans: [TRIAL, GROWTH] });
  assert.equal(await linkTo('Apply for Growth'), `/signup?plan=${GROWTH.id}`);
  await see('$299');
  await see('for 14 days');
  for (const link of await screen.findAllByRole('link', { name: 'Apply for a trial' }))
    assert.equal(link.getAttribute('href'), '/signup?trial=true');
  await reads(page, /We review every application, trials too/);
  await see('Does a trial begin at once?');
});

test('no trial is offered where no plan for one is', async () => {
  open({ listPlans: [GROWTH] });
  await screen.findByRole('heading', { name: 'Growth' });
  assert.equal(screen.queryAllByRole('link', { name: 'Apply for a trial' }).length, 0);
  assert.doesNotMatch(page.textContent, /trial/i);
  await reads(page, /We review every application, usually within one working day\./);
  assert.equal((await screen.findAllByRole('link', { name: 'Apply for access' })).length, 2);
});

test('a refused address keeps the form, its field has the focus and the reason; an accepted one is named', async () => {
  const service = open({ listPlans: [] });
  const field = await fill('E-mail address', 'no address');
  await user.type(field, '{Enter}');
  await holds(() => assert.equal(document.activeElement, field));
  assert.equal(field.getAttribute('aria-invalid'), 'true');
  assert.match((await screen.findByRole('alert')).textContent, /e-mail/);
  service.answers.subscribeToNewsletter = { status: 'pending' };
  await fill('E-mail address', ' reader@example.com ');
  await user.type(field, '{Enter}');
  await see('reader@example.com');
  assert.equal(page.querySelector('form')?.hidden, true);
});

test('the theme is chosen without a menu, and kept', async () => {
  open({ listPlans: [] });
  await user.click(await screen.findByRole('radio', { name: 'Dark' }));
  assert.equal(document.documentElement.dataset['theme'], 'dark');
  assert.equal(localStorage.getItem('portal.theme'), 'dark');
  await user.click(await screen.findByRole('radio', { name: 'Same as the system' }));
  assert.equal(document.documentElement.dataset['theme'], undefined);
});

test('the steps say that an agent is requested and approved before it installs itself', async () => {
  open({ listPlans: [TRIAL] });
  await see(/Request what a client needs from the catalogue\. Once we approve it, it installs itself\./);
  assert.doesNotMatch(page.textContent, /You install|ready to install|Install what/);
});
