/** Definitions to begin a form with, each in English, German and French. One is loaded when it is used. */
export const templates = {
  contact: () => import('./contact.json'),
  event: () => import('./event.json'),
  feedback: () => import('./feedback.json'),
  application: () => import('./application.json'),
  employees: () => import('./employees.json'),
};

export type TemplateName = keyof typeof templates;
