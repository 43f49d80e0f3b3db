import { createFileRoute } from '@tanstack/react-router';
import { ClientHomePage } from '../../features/client/home-page.tsx';

export const Route = createFileRoute('/client/')({ component: ClientHomePage });
