import type { Problem } from '@partner-portal/contract/errors.ts';
import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';

/** Sends what looks like an address to the service, which decides whether it is one. The response is the same for every address. */
export function startNewsletter(place: HTMLElement): void {
  const form = place.querySelector('form');
  const field = place.querySelector('input');
  const button = place.querySelector('button');
  const problem = place.querySelector<HTMLElement>('[role="alert"]');
  const sent = place.querySelector<HTMLElement>('[data-sent]');
  if (!form || !field || !button || !problem || !sent) return;
  let isBusy = false;
  const subscribe = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    button.setAttribute('aria-disabled', 'true');
    const email = field.value.trim();
    const found = field.checkValidity() ? await send(email) : INCOMPLETE;
    isBusy = false;
    button.removeAttribute('aria-disabled');
    problem.hidden = found === undefined;
    problem.replaceChildren(found ?? '');
    if (found === undefined) {
      form.hidden = true;
      sent.querySelector('b')?.replaceChildren(email);
      sent.hidden = false;
      sent.focus();
      return;
    }
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', 'newsletter-problem newsletter-consent');
    field.focus();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void subscribe();
  });
}

const INCOMPLETE = 'Enter a complete e-mail address, such as ana@example.com.';

/** Returns why the address was not taken; undefined when it was. */
async function send(email: string): Promise<string | undefined> {
  const body = JSON.stringify({ email, source: 'landing', textVersion: NEWSLETTER_CONSENT.version });
  try {
    const response = await fetch('/newsletter/subscribe', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (response.ok) return undefined;
    const problem = (await response.json()) as Problem; // the error shape is the service's promise
    return problem.errors?.find(({ field }) => field === 'email')?.message ?? problem.detail;
  } catch {
    return 'The service could not be reached. Check your connection and try again.';
  }
}
