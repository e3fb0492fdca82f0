import type { Driver } from './driver';

const pauseMs = 1_500;

/** Asks for deliveries that came through to be sent again, as staff does whose receiver lost them. */
export async function resendNow(driver: Driver): Promise<void> {
  const random = driver.randomFor('resends');
  while (!driver.stopped) {
    await driver.pause(pauseMs);
    const reply = await driver.client.send(
      'admin',
      'GET',
      '/api/webhooks/deliveries?status=delivered&pageSize=50',
    );
    const items = reply.body?.['items'];
    if (!Array.isArray(items) || items.length === 0 || driver.stopped) continue;
    const { id, messageId, endpointId } = random.pick(items as Record<string, unknown>[]);
    const { sentAt, outcome } = await driver.client.send(
      'admin',
      'POST',
      `/api/webhooks/deliveries/${String(id)}/resend`,
    );
    driver.resent({ hookId: String(messageId), endpointId: String(endpointId), sentAt, outcome });
  }
}
