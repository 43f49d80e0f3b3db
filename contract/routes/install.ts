import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { fileBytes } from '../primitives.ts';
import { installRecord, webManifest } from '../records/web-manifest.ts';
import { client, isPublic } from './access.ts';

const tag = 'clients';

export const installRoutes = {
  getMyInstall: defineRoute({
    method: 'GET',
    path: '/clients/me/install',
    tag,
    summary: 'Get the addresses by which a browser installs the client portal in the brand of its agency',
    access: client,
    reply: { 200: installRecord },
    errors: ['not_found'],
  }),
  getWebManifest: defineRoute({
    method: 'GET',
    path: '/manifest.webmanifest',
    tag,
    summary: 'Get the web app manifest of an agency’s client portal, by the token of its address',
    access: isPublic,
    limit: 'file',
    query: z.object({ agency: z.string().max(120) }),
    reply: { 200: webManifest },
    errors: ['invalid_query', 'not_found'],
  }),
  getBrandIcon: defineRoute({
    method: 'GET',
    path: '/brand-icons/:agency/:icon',
    tag,
    summary: 'Get an icon of an agency’s client portal as PNG, made from its logo or its initial',
    access: isPublic,
    limit: 'file',
    params: z.object({ agency: z.string().max(120), icon: z.enum(['192.png', '512.png', 'maskable.png', 'touch.png']) }),
    query: z.object({ v: z.string().max(40).optional() }),
    format: 'file',
    reply: { 200: fileBytes, 206: fileBytes },
    errors: ['invalid_query', 'not_found', 'range_not_satisfiable', 'service_unavailable'],
  }),
};
