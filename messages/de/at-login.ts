import { login } from './login.ts';
import { problem } from './problem.ts';
import { ui } from './ui.ts';

/** What the login page shows, which loads no other text. */
export const deAtLogin = { ...login, ...problem, ...ui };
