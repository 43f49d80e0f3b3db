import { letterIcon, useFavicon } from '../ui/hooks/use-favicon.ts';

type Agency = { name: string; logoUrl: string | null; brandColor?: string | null };

/** Shows the agency's icon in the browser's tab: its logo, or its initial on its colour. Nothing changes without an agency. */
export function useAgencyIcon(agency: Agency | undefined): void {
  useFavicon(agency && (agency.logoUrl ? `${agency.logoUrl}?size=icon` : letterIcon(agency.name, agency.brandColor ?? null)));
}
