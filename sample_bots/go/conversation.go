package main

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	pb "schmierbot/stubs/schmier/v1"
)

// The answers to one message of the referee go out together when none is left; but when so much
// time was spent on choosing, those that are there go out first.
const flushAfter = 5 * time.Millisecond

// ended says how a conversation ended.
type ended struct {
	welcomed bool
	goodbye  *pb.Goodbye // nil if the stream ended without one
	details  string      // why the stream ended
}

// converse says hello and answers decisions until the referee says goodbye or is gone. The error is
// a question that this bot does not know.
func converse(bot Bot, hello *pb.Hello, target string) (end ended, err error) {
	connection, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	if err != nil {
		return ended{details: err.Error()}, nil
	}
	defer connection.Close()
	stream, err := pb.NewRefereeServiceClient(connection).Play(context.Background())
	if err != nil {
		return ended{details: status.Convert(err).Message()}, nil
	}
	// Sending fails when the referee is gone; then the next Recv says so, or brings a goodbye.
	_ = stream.Send(&pb.PlayRequest{Content: &pb.PlayRequest_Hello{Hello: hello}})
	var rules *pb.Rules
	for {
		message, err := stream.Recv()
		if err != nil {
			end.details = status.Convert(err).Message()
			return end, nil
		}
		switch content := message.Content.(type) {
		case *pb.PlayResponse_Decisions:
			if err := answerAll(bot, content.Decisions.Decisions, rules, stream); err != nil {
				return end, err
			}
		case *pb.PlayResponse_Welcome:
			end.welcomed, rules = true, content.Welcome.Rules
		case *pb.PlayResponse_Goodbye:
			end.goodbye = content.Goodbye
			return end, nil
		}
	}
}

func answerAll(
	bot Bot, decisions []*pb.Decision, rules *pb.Rules, stream pb.RefereeService_PlayClient,
) error {
	actions := make([]*pb.Action, 0, len(decisions))
	flush := func() {
		content := &pb.PlayRequest_Actions{Actions: &pb.Actions{Actions: actions}}
		_ = stream.Send(&pb.PlayRequest{Content: content})
		actions = actions[:0]
	}
	flushAt := time.Now().Add(flushAfter)
	for _, decision := range decisions {
		action, err := answer(bot, Decision{decision, rules})
		if err != nil {
			return err
		}
		actions = append(actions, action)
		if !time.Now().Before(flushAt) {
			flush()
			flushAt = time.Now().Add(flushAfter)
		}
	}
	if len(actions) > 0 {
		flush()
	}
	return nil
}

func answer(bot Bot, d Decision) (*pb.Action, error) {
	action := &pb.Action{DecisionId: d.Id}
	switch d.Question.(type) {
	case *pb.Decision_Play:
		action.Choice = &pb.Action_Play{Play: bot.Play(d)}
	case *pb.Decision_Call:
		action.Choice = &pb.Action_Call{Call: bot.Call(d)}
	case *pb.Decision_Trump:
		action.Choice = &pb.Action_Trump{Trump: bot.Trump(d)}
	case *pb.Decision_Discard:
		action.Choice = &pb.Action_Discard{Discard: &pb.Discard{Cards: bot.Discards(d)}}
	default:
		return nil, fmt.Errorf("decision %d asks what revision 1 of the protocol does not know: "+
			"build the bot with newer protocol files", d.Id)
	}
	return action, nil
}
