import path from 'node:path';
import { readCompose } from './compose';

it('the services of Compose use the servers of others that variables name', () => {
  const variables = [
    'CANVASS_POSTGRES_HOST=db.example.org',
    'CANVASS_POSTGRES_USER=canvass_admin',
    'CANVASS_DATABASE=canvass?sslmode=verify-full',
    'CANVASS_RABBITMQ_HOST=mq.example.org',
  ];
  const file = path.join(__dirname, '../../docker-compose.yml');
  const { services } = readCompose(file, ['CANVASS_GRAFANA_PASSWORD=x', ...variables].join('\n'));
  const urls = Object.values(services)
    .flatMap(({ environment = {} }) => Object.values(environment))
    .filter((value) => /^(postgres|amqp):|:15672/.test(value));
  expect(urls.length).toBeGreaterThan(10);
  expect(urls.filter((url) => !/@(db|mq)\.example\.org:/.test(url))).toEqual([]);
  const databases = urls.filter((url) => url.startsWith('postgres:'));
  expect(databases.filter((url) => !url.endsWith(':5432/canvass?sslmode=verify-full'))).toEqual([]);
  expect(services['provision']!.environment!['Service__Provision__AdminUrl']).toContain('//canvass_admin:');
});
