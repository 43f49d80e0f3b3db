import { createFileRoute } from '@tanstack/react-router';
import { Signup } from '../features/signup/signup.tsx';

/** Open to anyone, logged in or not. */
export const Route = createFileRoute('/signup')({ component: Signup });
