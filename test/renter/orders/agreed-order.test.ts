import {expect, test} from 'vitest';
import {readOrder} from '../../../source/contract/nouns/creation-request.ts';
import {mergeCreation} from '../../../source/contract/nouns/merge.ts';
import {
	completeTemplate,
	type TemplateContent,
} from '../../../source/contract/nouns/template-content.ts';
import {agreedOrder} from '../../../source/renter/orders/agreed-order.ts';

const offer = {gpu_name: 'RTX 4090', num_gpus: 2, storage_cost: 0.15, inet_up_cost: 0.002};

function agreedTo(body: Readonly<Record<string, unknown>>, template?: Partial<TemplateContent>) {
	const order = readOrder(body);
	const content = template && completeTemplate(template);
	return agreedOrder({offer, order, creation: mergeCreation(order, content), perHour: 0.5});
}

test('an agreed order is the offer that was shown with the request that is sent', () => {
	expect(agreedTo({image: 'ubuntu:24.04', disk: 40, label: 'train'})).toEqual({
		gpuName: 'RTX 4090',
		gpus: 2,
		diskGb: 40,
		perHour: 0.5,
		storageRate: 0.15,
		uploadRate: 0.002,
		pricing: 'on-demand',
		image: 'ubuntu:24.04',
		label: 'train',
		templateHash: undefined,
		ports: [],
	});
	expect(agreedTo({image: 'x', price: 0.2}).pricing).toBe('bid');
});

test('an own machine is rented for nothing, whatever rates its offer has', () => {
	const order = readOrder({image: 'x'});
	const creation = mergeCreation(order, undefined);
	expect(agreedOrder({offer, order, creation, perHour: 0})).not.toHaveProperty('storageRate');
});

test('an image of the order wins over that of its template, whose other words count', () => {
	const template = {
		image: 'a/torch',
		tag: '2.6',
		recommended_disk_space: 3,
		runtype: 'ssh',
		ssh_direct: true,
		env: '-p 80:80 -e A=b',
	} as const;
	expect(agreedTo({template_hash_id: 'abc'}, template)).toMatchObject({
		image: 'a/torch:2.6',
		diskGb: 8,
		templateHash: 'abc',
		ports: ['22/tcp', '80/tcp'],
	});
	expect(agreedTo({template_hash_id: 'abc', image: 'own', disk: 30}, template)).toMatchObject({
		image: 'own',
		diskGb: 30,
		templateHash: 'abc',
	});
});

test.each([
	['args', undefined, []],
	['ssh_proxy', undefined, []],
	['ssh_direct', undefined, ['22/tcp']],
	['jupyter_direct', undefined, ['22/tcp', '8080/tcp']],
	['jupyter_proxy', undefined, []],
	['ssh_direct', '-p 22:22 -p 9000:53/udp', ['22/tcp', '53/udp']],
	['args', '-p 70001:70001 -e P=1 -v V.7:/data', []],
])('launched by %s with %s, %j are to be reached', (runtype, env, ports) => {
	expect(agreedTo({image: 'x', runtype, env}).ports).toEqual(ports);
});

test('a VM is asked for no ports but those that were named', () => {
	const vm = {image: 'x', runtype: 'ssh_direct', env: '-p 80:80', vm: true};
	expect(agreedTo(vm).ports).toEqual(['80/tcp']);
});
