import { login } from './login.ts';
import { problem } from './problem.ts';
import { ui } from './ui.ts';

/** Texts of the login page, which loads no others. */
export const esAtLogin = { ...login, ...problem, ...ui };
