import { createFileRoute } from '@tanstack/react-router';
import { EnginePage } from '../../features/engine/engine-page.tsx';

export const Route = createFileRoute('/admin/engine')({ component: EnginePage });
