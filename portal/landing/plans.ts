import type { routes } from '@partner-portal/contract';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';
import { limitsOf, priceOf } from '../shared/plan-labels.ts';
import { plural } from '../ui/text/format.ts';

type Plan = ReplyOf<(typeof routes)['listPlans']>[number];

/** Shows the plans in their place, in copies of its template; a refusal leaves a calm page on which they can be loaded again. Without a plan for trials, the page offers none. */
export async function showPlans(place: HTMLElement): Promise<void> {
  const plans = await readPlans();
  if (plans?.some(({ isTrial }) => isTrial) === false) for (const element of document.querySelectorAll('[data-trial]')) element.remove();
  place.removeAttribute('aria-busy');
  for (const child of place.querySelectorAll(':scope > :not(template)')) child.remove();
  place.append(plans === undefined ? missing(place) : plans.length > 0 ? listOf(place, plans) : sentence(NONE));
}

const NONE = 'Describe what you need in your application, and we suggest a plan.';
const NOT_LOADED = 'We could not load the plans. You can apply without choosing one; we confirm the plan with you.';

async function readPlans(): Promise<Plan[] | undefined> {
  try {
    const response = await fetch('/plans', { headers: { accept: 'application/json' } });
    return response.ok ? ((await response.json()) as Plan[]) : undefined; // the reply of the route
  } catch {
    return undefined;
  }
}

function listOf(place: HTMLElement, plans: readonly Plan[]): HTMLElement {
  const list = document.createElement('ul');
  for (const plan of plans) {
    const item = place.querySelector('template')?.content.cloneNode(true) as DocumentFragment; // rendered with the page
    const fill = (selector: string, text: string): void => item.querySelector(selector)?.replaceChildren(text);
    fill('[data-name]', plan.name);
    fill('[data-price]', plan.isTrial ? 'Free' : priceOf(plan));
    fill('[data-time]', plan.isTrial ? lengthOf(plan) : ' a month');
    fill('[data-limits]', limitsOf(plan));
    const link = item.querySelector('a');
    link?.setAttribute('href', plan.isTrial ? '/signup?trial=true' : `/signup?plan=${plan.id}`);
    if (plan.isTrial) fill('a', 'Apply for a trial');
    else link?.setAttribute('aria-label', `Apply for ${plan.name}`);
    list.append(item);
  }
  return list;
}

function missing(place: HTMLElement): HTMLElement {
  const status = document.createElement('div');
  status.setAttribute('role', 'status');
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'button mt-3';
  again.append('Load the plans again');
  again.addEventListener('click', () => {
    again.setAttribute('aria-disabled', 'true');
    void showPlans(place);
  });
  status.append(sentence(NOT_LOADED), again);
  return status;
}

function sentence(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = 'landing-intro';
  paragraph.append(text);
  return paragraph;
}

function lengthOf({ trialDays }: Plan): string {
  return trialDays === null ? ' trial' : ` for ${plural(trialDays, 'day')}`;
}
