import { createFileRoute } from '@tanstack/react-router';
import { BusinessPage } from '../../features/client/business-page.tsx';

export const Route = createFileRoute('/client/business')({ component: BusinessPage });
