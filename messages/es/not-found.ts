import type { notFound as source } from '../en/not-found.ts';

export const notFound: Readonly<Record<keyof typeof source, string>> = {
  'not-found.title': 'Página no encontrada',
  'not-found.text': 'El enlace puede estar incompleto o desfasado, o el elemento se eliminó.',
  'not-found.home': 'Ir a su página de inicio',
  'not-found.back': 'Volver',
  'not-found.portal': 'Ir al portal',
  'not-found.login': 'Iniciar sesión',
  'not-found.status': 'Estado del servicio',
};
