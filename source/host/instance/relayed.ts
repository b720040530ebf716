/** Forwards renters from a relay into an instance: to its SSH server, or to one of its ports. */
import {connect} from 'node:net';
import type {ServerHttp2Stream} from 'node:http2';
import {SSH_INSIDE, type RelayTarget} from '../../contract/rules/relay.ts';
import {joinStreams} from '../../contract/rules/relay-streams.ts';
import {localAddress} from '../machine/port-choice.ts';
import type {Host, HostInstance} from './instance.ts';

/** Forwards only to ports in the instance's own record, whatever the relay asks for. */
export function enterRelayed(
	{reach: {listen}}: Pick<Host, 'reach'>,
	instance: HostInstance | undefined,
	{target: {port}, stream, from}: Relayed,
): boolean {
	if (instance === undefined) return false;
	const {sshServer, running, record} = instance;
	if (port === SSH_INSIDE) {
		if (sshServer === undefined) return false;
		sshServer.enter(stream, from);
		return true;
	}
	const outside = new Map(record.ports).get(`${port}/tcp`);
	if (outside === undefined || running === undefined) return false;
	const socket = connect({
		host: localAddress(listen),
		port: outside,
		allowHalfOpen: true,
		noDelay: true,
	});
	joinStreams(socket, stream);
	return true;
}

type Relayed = {
	readonly target: RelayTarget;
	readonly stream: ServerHttp2Stream;
	/** Address of the renter. */
	readonly from: string;
};
