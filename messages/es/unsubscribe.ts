export const unsubscribe = {
  'unsubscribe.title': '¿Dejar de recibir estos correos?',
  'unsubscribe.notifications':
    'Ya no recibirá correos de este tipo. El portal sigue mostrando su contenido y puede volver a activarlos en sus ajustes.',
  'unsubscribe.digest':
    'Ya no recibirá el resumen diario. El portal sigue mostrando su contenido y puede volver a activarlo en sus ajustes.',
  'unsubscribe.report':
    'Ya no recibirá informes mensuales por correo. El informe sigue en el portal y allí puede volver a activar el correo.',
  'unsubscribe.newsletter': 'Ya no recibirá el boletín y borraremos su dirección.',
  'unsubscribe.stop': 'Dejar de recibirlos',
  'unsubscribe.stopping': 'Dando de baja',
  'unsubscribe.done': 'Ya no recibirá estos correos',
  'unsubscribe.close': 'Puede cerrar esta página.',
  'unsubscribe.invalid': 'Este enlace no funciona',
  'unsubscribe.incomplete': 'Puede que esté incompleto. Ábralo de nuevo desde el correo.',
  'unsubscribe.failed': 'No se pudo guardar. Inténtelo de nuevo en un minuto.',
  'unsubscribe.notOpened': 'No se pudo abrir la página',
  'unsubscribe.later': 'Abra de nuevo el enlace del correo dentro de un minuto.',
} as const;
