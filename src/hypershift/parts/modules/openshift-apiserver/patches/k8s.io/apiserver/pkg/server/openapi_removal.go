package server

// RemoveOpenAPIData stops this server from serving OpenAPI documents of its own, so that the server
// that aggregates them may. OpenShift's fork of this module has a method of the same name; the fork
// that this program asks for is in no registry.
func (s *GenericAPIServer) RemoveOpenAPIData() {
	if s.Handler != nil && s.Handler.NonGoRestfulMux != nil {
		s.Handler.NonGoRestfulMux.Unregister("/openapi/v2")
	}
	s.openAPIConfig = nil
}
