import { loadLoginMessages } from './app/messages.ts';
import { LoginPage, preloadForms } from './features/session/login-page.tsx';
import { readLoginSearch } from './features/session/login-search.ts';
import { render } from './render.tsx';

/**
 * Shows the login without the router and what all other pages share, which is loaded while someone types. `open` shows the page that
 * follows.
 */
export async function showLogin(open: (path: string) => void, prepare: () => void): Promise<void> {
  await loadLoginMessages();
  addEventListener('input', preloadForms, { once: true });
  addEventListener('input', prepare, { once: true });
  const search = readLoginSearch(Object.fromEntries(new URLSearchParams(location.search)));
  render(<LoginPage search={search} onOpen={open} />);
}
