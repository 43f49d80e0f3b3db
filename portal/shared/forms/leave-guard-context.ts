import { type ComponentType, createContext } from 'react';
import type { LeaveGuardProps } from './leave-guard.tsx';

/** What asks before a form is left. It needs the router, so the login page, which works without one, does not provide it. */
export const LeaveGuardContext = createContext<ComponentType<LeaveGuardProps> | undefined>(undefined);
