import { forKubernetes120 } from './manifests';

const metadata = { name: 'gateway' };

describe('forKubernetes120', () => {
  it('uses the versions of groups that 1.20 has, and leaves out what it does not know', () => {
    const spread = { maxSkew: 1, matchLabelKeys: ['pod-template-hash'] };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { spread } };
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata };

    expect(forKubernetes120([deployment, budget])).toEqual([
      { ...deployment, spec: { spread: { maxSkew: 1 } } },
      { ...budget, apiVersion: 'policy/v1beta1' },
    ]);
  });

  it('changes nothing else', () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 8080 }] } };

    expect(forKubernetes120([service])).toEqual([service]);
  });
});
