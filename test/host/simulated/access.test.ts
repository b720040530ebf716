import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {report} from '../../../source/contract/nouns/host-work.ts';
import {simulateAccess} from '../../../source/host/simulated/access.ts';
import {workOf} from '../../helpers/host/host.ts';

const ssh = {mode: 'ssh', sshDirect: false, jupyterDirect: false} as const;

/** The ports of the container that are reached from outside. */
function portsOf(given: Parameters<typeof workOf>[0]): readonly string[] {
	return Object.keys(simulateAccess(workOf(given)).ports ?? {});
}

test.each([
	['SSH by proxy', ssh, []],
	['direct SSH', {...ssh, sshDirect: true}, ['22/tcp']],
	['Jupyter by proxy', {...ssh, mode: 'jupyter'}, ['22/tcp']],
	['direct Jupyter', {...ssh, mode: 'jupyter', jupyterDirect: true}, ['22/tcp', '8080/tcp']],
	['an image as it is', {...ssh, mode: 'args'}, []],
] as const)('%s has the ports that it is entered by', (_, launch, ports) => {
	expect(portsOf({launch})).toEqual(ports);
});

test('ports are mapped as the environment asks, some to the same number outside', () => {
	const env: Array<[string, string]> = [
		['-p 8000:8000', '1'],
		['A', 'b'],
		['-p 53:53/udp', '1'],
		['-p 70001:70001', '1'],
	];
	const {ports = {}} = simulateAccess(workOf({env, launch: ssh}));
	const [first, second, third = ''] = Object.keys(ports);
	expect([first, second]).toEqual(['8000/tcp', '53/udp']);
	expect(ports[third]).toEqual([{HostIp: '0.0.0.0', HostPort: third.replace('/tcp', '')}]);
});

test('the direct way in is the mapped port, and there is none without', () => {
	const direct = simulateAccess(workOf());
	expect(direct.ports?.['22/tcp']?.[0]?.HostPort).toBe(String(direct.machine_dir_ssh_port));
	expect(simulateAccess(workOf({launch: ssh})).machine_dir_ssh_port).toBeNull();
});

test('the address is that of the machine where it is known, and else one kept for examples', () => {
	expect(simulateAccess(workOf(), '198.51.100.4').public_ipaddr).toBe('198.51.100.4');
	expect(simulateAccess(workOf()).public_ipaddr).toMatch(/^203\.0\.113\.\d+$/);
});

test('every access fits the contract, and neighbours share no port', () => {
	fc.assert(
		fc.property(fc.nat(2 ** 40), fc.nat(), (instance_id, machine_id) => {
			const env = Array.from({length: 62}, (_, n): [string, string] => [`-p ${n + 100}:80`, '1']);
			const launch = {mode: 'jupyter', sshDirect: true, jupyterDirect: true} as const;
			const [one, other] = [0, 1].map(more =>
				simulateAccess(workOf({instance_id: instance_id + more, machine_id, env, launch})),
			);
			expect(report.safeParse({instance_id, boot: 1, access: one}).success).toBe(true);
			const taken = (access: typeof one) =>
				Object.values(access?.ports ?? {}).map(([binding]) => binding?.HostPort);
			expect(taken(one).filter(port => taken(other).includes(port))).toEqual([]);
		}),
	);
});
