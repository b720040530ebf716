/** How a room is entered whose programs are started on this machine. */
import {startFor} from './child.ts';
import type {Room} from './room.ts';

export function enterable(room: Omit<Room, 'start'>): Room {
	return {
		...room,
		start: async (command, beginning) => startFor(beginning, room.launch(command)),
	};
}
