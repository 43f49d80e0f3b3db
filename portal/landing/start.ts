import { adoptSession, getSession, homeOf } from '../app/session-store.ts';
import { setTheme, type Theme } from '../ui/hooks/theme.ts';
import { startNewsletter } from './newsletter.ts';
import { showPlans } from './plans.ts';

/** Makes the pages for people who do not know the product work: they came whole, and load neither React nor what the portal's pages share. */
export function startLanding(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name="theme"]')) {
    input.checked = input.value === (document.documentElement.dataset['theme'] ?? 'system');
    input.addEventListener('change', () => setTheme(input.value as Theme)); // the values of theme-choice.tsx
  }
  const plans = document.querySelector<HTMLElement>('[data-plans]');
  if (plans) void showPlans(plans);
  const newsletter = document.querySelector<HTMLElement>('[data-newsletter]');
  if (newsletter) startNewsletter(newsletter);
}

/** Someone who is logged in, in this tab or another, is led from the landing page to their own home. */
export async function leaveWithSession(): Promise<void> {
  await adoptSession();
  const session = getSession();
  if (session) location.replace(homeOf(session.user.role));
  // A session that has ended hid the page (theme.js).
  else delete document.documentElement.dataset['leaving'];
}
