import { Signup } from './features/signup/signup.tsx';
import { hydrate } from './render.tsx';

/** Makes the application that came with the first byte work. Without the router, like the login. */
export function showFirst(first: HTMLElement): void {
  hydrate(first, <Signup />);
}
