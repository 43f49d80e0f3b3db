import './landing.css';
import { leaveWithSession, startLanding } from './start.ts';

startLanding();
if (location.pathname === '/') void leaveWithSession();
