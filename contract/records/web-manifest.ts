import { z } from 'zod';

/** A web app manifest, by which a browser installs the client portal of an agency. */
export const webManifest = z
  .object({
    id: z.string(),
    name: z.string(),
    short_name: z.string(),
    start_url: z.string(),
    scope: z.string(),
    display: z.literal('standalone'),
    theme_color: z.string(),
    background_color: z.string(),
    icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.literal('image/png'), purpose: z.enum(['any', 'maskable']) })),
  })
  .meta({ id: 'WebManifest' });

/** Addresses for the head of the page, and the colours of the browser's frame in both themes. */
export const installRecord = z
  .object({ manifestUrl: z.string(), touchIconUrl: z.string(), themeColor: z.object({ light: z.string(), dark: z.string() }) })
  .meta({ id: 'InstallLinks' });
