/**
 * Relay program in a container's network, with this machine's files: passes connections to a socket
 * of the agent, and ends with the agent.
 */
import {connect, createServer} from 'node:net';
import process from 'node:process';

const [, , path = '', port = ''] = process.argv;

const server = createServer(socket => {
	const onward = connect(path);
	const end = () => {
		socket.destroy();
		onward.destroy();
	};
	for (const side of [socket, onward]) side.on('error', end).on('close', end);
	socket.pipe(onward).pipe(socket);
});
server.on('error', () => process.exit(1));
server.listen(Number(port), '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.stdout.write(`${address?.port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
