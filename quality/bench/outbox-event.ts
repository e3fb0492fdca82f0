/** The event that fills the outbox: one kilobyte as a message, of the kind that webhooks carry. */
export const eventType = 'submission.completed';

export const eventSettings = JSON.stringify({ scope: 'form', scopeId: '7', version: '1' });

export const eventData = JSON.stringify({
  id: '600000000000000001',
  formId: '7',
  isComplete: true,
  collectionStatus: 'complete',
  currentPage: 4,
  jsonData: JSON.stringify({ answers: 'x'.repeat(500) }),
  metadata: '{}',
  revision: '1',
});
